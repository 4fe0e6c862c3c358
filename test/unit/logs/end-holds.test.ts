import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { endHolds } from '../../../src/logs/end-holds.ts';

const folder = mkdtempSync(join(tmpdir(), 'orca-log-'));
after(() => rmSync(folder, { recursive: true }));
const log = (...pieces: readonly (string | Buffer)[]): string => {
  const file = join(folder, 'stderr');
  writeFileSync(file, Buffer.concat(pieces.map((piece) => Buffer.from(piece))));
  return file;
};
const told = 'heap out of memory';
const endSize = 65536;

test('a text is found anywhere in the last 64 KB, and not before them', () => {
  assert.equal(endHolds(log(`FATAL: ${told}\n`), told), true);
  assert.equal(endHolds(log('x'.repeat(300_000), told), told), true);
  assert.equal(endHolds(log(told, 'x'.repeat(endSize - told.length)), told), true);
  assert.equal(endHolds(log(told, 'x'.repeat(endSize - told.length + 1)), told), false);
});

test('a text is taken letter for letter, not as a pattern', () => {
  assert.equal(endHolds(log('heap out of memory'), 'heap.*memory'), false);
  assert.equal(endHolds(log('heap Out of memory'), told), false);
  assert.equal(endHolds(log('(heap.*memory)'), 'heap.*memory'), true);
});

test('bytes that are no UTF-8 do not hide a text', () => {
  assert.equal(
    endHolds(log(Buffer.from([0xff, 0, 0x80]), 'Speicher für Größe', Buffer.from([0xc3])), 'für Größe'),
    true,
  );
});

test('a log that is empty, not there, or no file has no text', () => {
  assert.equal(endHolds(log(), told), false);
  assert.equal(endHolds(join(folder, 'none'), told), false);
  assert.equal(endHolds(folder, told), false);
});

test('a named pipe in its place holds nothing, and keeps nobody waiting', { timeout: 10_000 }, () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  assert.equal(endHolds(pipe, told), false);
});
