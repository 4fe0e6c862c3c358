import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import fc from 'fast-check';
import { lastLines } from '../../../src/sample/file-lines.ts';
import { fileWriter } from '../../../src/sample/file-writer.ts';

let box = '';
let out = '';
beforeEach(() => {
  box = mkdtempSync(join(tmpdir(), 'orca-file-writer-'));
  out = join(box, 'host.jsonl');
});
afterEach(() => {
  rmSync(box, { recursive: true });
});
const linesOf = (file: string): string[] => readFileSync(file, 'utf8').split('\n').slice(0, -1);
const numbers = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, i) => String(from + i));

test('lines are added to what is there', async () => {
  writeFileSync(out, 'old\n');
  const writer = fileWriter(out, { keep: null });
  for (const line of ['a', 'b']) await writer.write(line);
  assert.equal(readFileSync(out, 'utf8'), 'old\na\nb\n');
});

test('a file with --keep has at least the last N lines, never more than twice as many, and always whole ones', async () => {
  const writer = fileWriter(out, { keep: 100 });
  for (let n = 1; n <= 1050; n += 1) {
    await writer.write(String(n));
    const text = readFileSync(out, 'utf8');
    const lines = text.split('\n').slice(0, -1);
    assert.ok(text.endsWith('\n') && lines.length < 200, `${lines.length} lines`);
    assert.deepEqual(lines, numbers(n - lines.length + 1, n));
    assert.ok(lines.length >= Math.min(n, 100));
  }
  assert.deepEqual(readdirSync(box), ['host.jsonl']);
});

test('a reader that has the file open sees all of it while it is replaced', async () => {
  const writer = fileWriter(out, { keep: 2 });
  for (const line of ['1', '2', '3']) await writer.write(line);
  const before = statSync(out).ino;
  await writer.write('4');
  assert.notEqual(statSync(out).ino, before);
  assert.deepEqual(linesOf(out), ['3', '4']);
});

test('a file that was long before is cut to its last lines, with its permissions', async () => {
  writeFileSync(out, `${numbers(1, 5000).join('\n')}\n`);
  chmodSync(out, 0o640);
  await fileWriter(out, { keep: 10 }).write('5001');
  assert.deepEqual(linesOf(out), numbers(4992, 5001));
  assert.equal(statSync(out).mode & 0o777, 0o640);
});

test('through a link the file behind it is kept, and the link stays', async () => {
  const real = join(box, 'real');
  symlinkSync(real, out);
  const writer = fileWriter(out, { keep: 1 });
  for (const line of ['1', '2', '3']) await writer.write(line);
  assert.deepEqual(linesOf(real), ['3']);
});

test('half a line that another writer left does not take the next one with it', async () => {
  writeFileSync(out, '{"v":1}\n{"v":');
  const writer = fileWriter(out, { keep: null });
  await writer.write('{"v":2}');
  await writer.write('{"v":3}');
  assert.deepEqual(linesOf(out), ['{"v":1}', '{"v":', '{"v":2}', '{"v":3}']);
});

test('lines of others are counted too, and a file that was taken away is made anew', async () => {
  const writer = fileWriter(out, { keep: 3 });
  for (const line of ['1', '2']) await writer.write(line);
  appendFileSync(out, '3\n4\n');
  await writer.write('5');
  assert.deepEqual(linesOf(out), ['1', '2', '3', '4', '5']);
  await writer.write('6');
  assert.deepEqual(linesOf(out), ['4', '5', '6']);
  rmSync(out);
  await writer.write('7');
  assert.deepEqual(linesOf(out), ['7']);
});

test('a line that cannot be written is refused, and one after the cause has gone is written', async () => {
  const folder = join(box, 'later');
  const writer = fileWriter(join(folder, 'x'), { keep: 5 });
  await assert.rejects(writer.write('1'), { code: 'ENOENT' });
  mkdirSync(folder);
  await writer.write('2');
  assert.deepEqual(linesOf(join(folder, 'x')), ['2']);
});

test('a full disk and a folder in the place of the file are refused', async () => {
  await assert.rejects(fileWriter('/dev/full', { keep: 2 }).write('1'), { code: 'ENOSPC' });
  await assert.rejects(fileWriter(box, { keep: null }).write('1'), { code: 'EISDIR' });
});

test('a named pipe that nobody reads does not hold the sampler', async () => {
  assert.equal(spawnSync('mkfifo', [out]).status, 0);
  await assert.rejects(fileWriter(out, { keep: 1 }).write('1'), { code: 'ENXIO' });
});

test('when the file cannot be replaced the bound stands and the lines are refused', async () => {
  const writer = fileWriter(out, { keep: 2 });
  for (const line of ['1', '2', '3']) await writer.write(line);
  // A folder that is not empty is in the way of the new file.
  const inTheWay = join(box, '.host.jsonl.keep');
  mkdirSync(join(inTheWay, 'x'), { recursive: true });
  for (const line of ['4', '5', '6']) await assert.rejects(writer.write(line));
  assert.ok(linesOf(out).length <= 4);
  rmSync(inTheWay, { recursive: true });
  await writer.write('7');
  assert.deepEqual(linesOf(out), ['3', '4', '7']);
});

test('where links are refused nothing is written through one', async () => {
  const real = join(box, 'real');
  symlinkSync(real, out);
  await assert.rejects(fileWriter(out, { keep: null, noLinks: true }).write('1'), { code: 'ELOOP' });
  assert.ok(!existsSync(real));
});

test('the last lines of any text are those that a plain reading gives', () => {
  const text = fc.array(fc.constantFrom('a', 'bc', '\n', '\n\n', 'x'.repeat(70_000)), { maxLength: 12 });
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 6 }), (parts, most) => {
      writeFileSync(out, parts.join(''));
      const plain = parts.join('').split('\n').slice(0, -1).slice(-most);
      assert.deepEqual(lastLines(out, most).toString(), plain.map((line) => `${line}\n`).join(''));
    }),
    { numRuns: 60 },
  );
});
