import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import fc from 'fast-check';
import { shellWord, shellWords } from '../../../src/units/shell-words.ts';
import { signalText } from '../../../src/units/signal-name.ts';
import { visibleJson, visibleText } from '../../../src/units/visible-text.ts';

test('control characters, C1, bidirectional overrides and line separators are shown as escapes', () => {
  assert.equal(visibleText('a\u001b[31mb'), 'a\\x1b[31mb');
  assert.equal(visibleText('a\nb\tc\rd\0\u007f'), 'a\\nb\\tc\\rd\\x00\\x7f');
  assert.equal(visibleText('\u009b2J'), '\\x9b2J');
  assert.equal(visibleText('\u202egpj.exe\u2066'), '\\u202egpj.exe\\u2066');
  assert.equal(visibleText('\u2028\u200b\ufeff'), '\\u2028\\u200b\\ufeff');
  assert.equal(visibleText('\u{e0041}'), '\\u{e0041}');
  assert.equal(visibleText('\ud800x'), '\\ud800x');
});

test('JSON has nothing in it that a terminal minds, and reads back as it was given', () => {
  const text = 'a\u009b2J\u007f\u202e\u2028\u{e0041}\ud800\n👩‍👩‍👧 naïve';
  const json = visibleJson({ text });
  assert.equal(visibleText(json), json);
  assert.deepEqual(JSON.parse(json), { text });
  assert.ok(json.includes('👩‍👩‍👧 naïve'));
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (any) => {
      assert.equal(JSON.parse(visibleJson(any)), any);
      assert.equal(visibleText(visibleJson(any)), visibleJson(any));
    }),
  );
});

test('ordinary text of any language stays as it is', () => {
  for (const text of ['', 'naïve – ünïcode', '数据 каша', '👩‍👩‍👧', 'C:\\new', "it's"])
    assert.equal(visibleText(text), text);
});

test('bytes that are no UTF-8 are shown as they are', () => {
  assert.equal(visibleText(Buffer.from([0x61, 0xff, 0x62])), 'a\\xffb');
  assert.equal(visibleText(Buffer.from([0xc3])), '\\xc3');
  assert.equal(visibleText(Buffer.from([0xed, 0xa0, 0x80])), '\\xed\\xa0\\x80');
  assert.equal(visibleText(Buffer.from([0xc0, 0x9b])), '\\xc0\\x9b');
  assert.equal(visibleText(Buffer.from('é\u001b👍')), 'é\\x1b👍');
});

test('no text leaves a byte that a terminal obeys, and visible text stays as it is', () => {
  const input = fc.oneof(fc.string({ unit: 'binary' }), fc.uint8Array());
  fc.assert(
    fc.property(input, (text) => {
      const visible = visibleText(text);
      assert.doesNotMatch(visible, /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/);
      assert.equal(visibleText(visible), visible);
    }),
  );
});

test('an argument list is written so that a shell reads the same words', () => {
  assert.equal(shellWords(['xz', '-9', '-c', 'my file']), "xz -9 -c 'my file'");
  assert.equal(shellWords(['echo', '', '$HOME', "it's", '*']), "echo '' '$HOME' 'it'\\''s' '*'");
  assert.equal(shellWords(['A=b', 'A=b']), "'A=b' A=b");
  assert.equal(shellWords(['if', 'if']), "'if' if");
  assert.equal(shellWord('=ls'), "'=ls'");
  assert.equal(shellWord('a\u001b[2J\n'), "$'a\\x1b[2J\\x0a'");
});

test('bash gives back every argument, and runs none of it', () => {
  const arg = fc
    .oneof(fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[ -~\n\u001b]{0,12}$/))
    .filter((text) => !text.includes('\0'));
  const lists = fc.sample(fc.array(arg, { maxLength: 6 }), { numRuns: 60, seed: 7 });
  const script = lists.map((list) => `printf '%s\\0' ${shellWords(['x', ...list])}`).join('\n');
  const printed = execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8', env: { LC_ALL: 'C.UTF-8' } });
  assert.deepEqual(
    printed.split('\0').slice(0, -1),
    lists.flatMap((list) => ['x', ...list]),
  );
});

test('a signal is named by number and name', () => {
  assert.equal(signalText(9), 'signal 9 (SIGKILL)');
  assert.equal(signalText(15), 'signal 15 (SIGTERM)');
  assert.equal(signalText(250), 'signal 250');
});
