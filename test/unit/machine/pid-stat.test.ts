import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { parsePidStat, parsePidUsage, parseStatBytes } from '../../../src/machine/pid-stat.ts';
import { readPidStat, readPidStats } from '../../../src/machine/read-pid-stats.ts';

const line = (name: string, tail = ''): string =>
  `4242 (${name}) S 17 4242 4242 0 -1 4194560 100 200 0 0 12 34 56 78 20 0 1 0 987654 12345678 321 18446744073709551615 1 1 0 0 0 0 0 4096 0 0 0 0 17 1 0 0 0 0 0 0 0 0 0 0 0 0 0${tail}\n`;
const usual = {
  pid: 4242,
  state: 'S',
  parent: 17,
  ownTicks: 46,
  waitedTicks: 134,
  startTicks: 987654,
  rssPages: 321,
};

test('a stat line gives parent, state, ticks, start time and resident pages', () => {
  assert.deepEqual(parsePidStat(line('sleep')), usual);
  assert.deepEqual(parsePidUsage(line('sleep')), { parent: 17, rssPages: 321, cpuTicks: 180 });
});

test('a name with spaces, newlines or parentheses changes nothing', () => {
  for (const name of ['a b', 'a\nb', ') S 1 (', '(((', ')))', '', ') R 0 0', '\u001b[2J', '数据']) {
    assert.deepEqual(parsePidStat(line(name)), usual, JSON.stringify(name));
  }
});

test('a malformed line gives parent -1', () => {
  for (const text of [
    '',
    'garbage',
    '42 (x)',
    '42 (x) S',
    '42 (x) S 1 2 3',
    '(x) S 1',
    line('x').replace(' 17 ', ' x '),
  ]) {
    assert.deepEqual(parsePidUsage(text), { parent: -1, rssPages: 0, cpuTicks: 0 }, text);
    assert.equal(parsePidStat(text), null);
  }
});

test('what an earlier and longer line left in the buffer is not read', () => {
  const short = '42 (x) S 1 0 0 0 0 0 0 0 0 0 1 2 3 4 0 0 0 0 5 0 6';
  const buffer = Buffer.from(`${short}789 1 2 3 (y) R 9 9`);
  assert.equal(parseStatBytes(buffer, short.length)?.rssPages, 6);
  assert.equal(parseStatBytes(buffer, short.length - 2), null);
});

test('random bytes give a reading or none, and never an exception', () => {
  const near = fc.stringMatching(/^\d{0,4} \([ -~]{0,5}\) [A-Z] [-0-9 ]{0,70}$/).map((text) => Buffer.from(text));
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array(), near), fc.nat(200), (bytes, length) => {
      const stat = parseStatBytes(bytes, length);
      if (stat !== null) assert.ok(Number.isFinite(stat.parent) && Number.isFinite(stat.ownTicks));
    }),
  );
});

test('a pass reads every process of its root, and leaves out what vanished or is no process', () => {
  const root = mkdtempSync(join(tmpdir(), 'orca-proc-'));
  try {
    for (const name of ['4242', '7', '9', 'self', '1x']) mkdirSync(join(root, name));
    writeFileSync(join(root, '4242/stat'), line('a'));
    writeFileSync(join(root, '7/stat'), 'garbage');
    writeFileSync(join(root, 'self/stat'), line('self'));
    assert.deepEqual(readPidStats(root), [usual]);
    assert.deepEqual(readPidStat(root, 4242), usual);
    assert.equal(readPidStat(root, 9), null);
  } finally {
    rmSync(root, { recursive: true });
  }
  assert.deepEqual(readPidStats(root), []);
});

test('this very process is found with its parent', { skip: process.platform !== 'linux' }, () => {
  const self = readPidStats('/proc').find(({ pid }) => pid === process.pid);
  assert.equal(self?.parent, process.ppid);
  assert.ok((self?.rssPages ?? 0) > 0);
});
