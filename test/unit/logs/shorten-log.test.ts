import assert from 'node:assert/strict';
import {
  appendFileSync,
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { shortenLog } from '../../../src/logs/shorten-log.ts';

const aLog = (t: TestContext, lines: number): string => {
  const folder = mkdtempSync(join(tmpdir(), 'orca-log-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'daemon.log');
  for (let at = 0; at < lines; at += 1) appendFileSync(file, `line ${String(at).padStart(4, '0')}\n`);
  return file;
};

test('a log over its bound keeps its last whole lines, and whoever appends goes on after them', (t) => {
  const file = aLog(t, 100);
  const fd = openSync(file, 'a');
  assert.equal(shortenLog(file, { most: 999, keep: 35 }), true);
  writeSync(fd, 'next\n');
  closeSync(fd);
  assert.equal(readFileSync(file, 'utf8'), 'line 0097\nline 0098\nline 0099\nnext\n');
});

test('one within its bound stays as it is', (t) => {
  const file = aLog(t, 100);
  assert.equal(shortenLog(file, { most: 1000, keep: 35 }), false);
  assert.equal(readFileSync(file).length, 1000);
});

test('what is no file of ours is not touched', (t) => {
  const file = aLog(t, 100);
  symlinkSync(file, `${file}.link`);
  assert.equal(shortenLog(`${file}.link`, { most: 1, keep: 1 }), false);
  assert.equal(shortenLog(`${file}.none`, { most: 1, keep: 1 }), false);
  assert.equal(shortenLog(join(file, '..'), { most: 1, keep: 1 }), false);
  assert.equal(readFileSync(file).length, 1000);
});

test('a single line that is longer than what is kept goes whole or stays as its end', (t) => {
  const file = aLog(t, 0);
  writeFileSync(file, 'x'.repeat(100));
  assert.equal(shortenLog(file, { most: 50, keep: 10 }), true);
  assert.equal(readFileSync(file, 'utf8'), 'x'.repeat(10));
});
