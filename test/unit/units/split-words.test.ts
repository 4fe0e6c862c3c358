import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import fc from 'fast-check';
import { shellWords } from '../../../src/units/shell-words.ts';
import { splitWords } from '../../../src/units/split-words.ts';

test('words are split at white space and kept whole by quotes and backslashes, as a shell does it', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['', []],
    ['  \t\n ', []],
    ['vault read', ['vault', 'read']],
    [" a  'b c'\td ", ['a', 'b c', 'd']],
    [`a"b 'c"d`, [`ab 'cd`]],
    [`'' ""`, ['', '']],
    [`a\\ b \\'c`, ['a b', "'c"]],
    [`"a\\"b\\\\c\\d"`, ['a"b\\c\\d']],
    [`'a\\b'`, ['a\\b']],
  ];
  for (const [line, words] of cases) {
    assert.deepEqual(splitWords(line), words, line);
    const shell = spawnSync('sh', ['-c', `set -f; for word in ${line}; do printf '%s\\0' "$word"; done`]);
    const read = shell.stdout.toString().split('\0').slice(0, -1);
    if (line.trim() !== '') assert.deepEqual(read, words, `sh reads ${line}`);
  }
});

test('nothing is expanded and nothing is run', () => {
  assert.deepEqual(splitWords('$HOME ~ *.ts $(id) `id` a;b c|d # e'), [
    ...['$HOME', '~', '*.ts', '$(id)', '`id`', 'a;b', 'c|d', '#', 'e'],
  ]);
});

test('a quote without its end, or a backslash at the end, is refused', () => {
  for (const line of ["a 'b", 'a "b', 'a\\', '"a\\']) assert.equal(splitWords(line), null, line);
});

test('what orca writes for a shell comes back as the same words', () => {
  const word = fc.string({ unit: fc.constantFrom(...'ab \'"\\$`*=\u00e4') });
  fc.assert(
    fc.property(fc.array(word), (words) => {
      assert.deepEqual(splitWords(shellWords(words)), words);
    }),
  );
});
