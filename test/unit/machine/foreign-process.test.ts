import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { describeProcess, largestForeign } from '../../../src/machine/largest-process.ts';
import type { PidStat } from '../../../src/machine/pid-stat.ts';
import { parseUid } from '../../../src/machine/process-owner.ts';
import { parsePasswd } from '../../../src/machine/user-names.ts';

let box = '';
beforeEach(() => {
  box = mkdtempSync(join(tmpdir(), 'orca-foreign-'));
});
afterEach(() => {
  rmSync(box, { recursive: true });
});
const put = (file: string, text: string): void => {
  mkdirSync(dirname(join(box, file)), { recursive: true });
  writeFileSync(join(box, file), text);
};
const describe = (pid: number): ReturnType<typeof describeProcess> =>
  describeProcess({ procRoot: join(box, 'proc'), passwdFile: join(box, 'passwd') }, pid);

const process = (pid: number, parent: number, rssPages: number): PidStat => ({
  pid,
  state: 'S',
  parent,
  ownTicks: 0,
  waitedTicks: 0,
  startTicks: pid,
  rssPages,
});

test('the largest process that is no run’s is found, whatever the runs and orca itself have', () => {
  const stats = [process(1, 0, 5), process(10, 1, 900), process(11, 10, 800), process(12, 11, 700), process(20, 1, 30)];
  assert.equal(largestForeign(stats, new Set([10]))?.pid, 20);
  assert.equal(largestForeign(stats, new Set([11]))?.pid, 10);
  assert.equal(largestForeign(stats, new Set())?.pid, 10);
});

test('there is none where all are ours, none has memory, or no process is seen', () => {
  assert.equal(largestForeign([process(1, 0, 5), process(2, 1, 9)], new Set([1])), null);
  assert.equal(largestForeign([process(2, 0, 0), process(3, 2, 0)], new Set()), null);
  assert.equal(largestForeign([], new Set([1])), null);
});

test('a process is told with its name and its user', () => {
  put('proc/77/status', 'Name:\tpy (x)\nUid:\t1000\t1001\t1001\t1001\nGid:\t5\t5\t5\t5\n');
  put('proc/77/comm', 'py (x)\n');
  put('passwd', 'root:x:0:0::/root:/bin/sh\nada:x:1000:1000:Ada:/home/ada:/bin/sh\n');
  assert.deepEqual(describe(77), { pid: 77, name: 'py (x)', user: 'ada' });
});

test('a user without a name is told by the number, and one that cannot be read is unknown', () => {
  put('proc/77/status', 'Uid:\t1000\t1000\t1000\t1000\n');
  assert.deepEqual(describe(77), { pid: 77, name: '', user: 'uid 1000' });
  assert.deepEqual(describe(78), { pid: 78, name: '', user: null });
  put('proc/79/status', 'Uid:\tmax\n');
  assert.equal(describe(79).user, null);
});

test('the user is the real one', () => {
  assert.equal(parseUid('Umask:\t0022\nUid:\t5\t0\t0\t0\n'), 5);
  for (const bad of ['', 'Uid:\n', 'Uid:\t-1\t0', 'xUid:\t5\t5\t5\t5']) assert.equal(parseUid(bad), null, bad);
});

test('names of passwd are read past what is no line of it; of two with a number the first holds', () => {
  const names = parsePasswd('# x\n+::::::\ngarbage\na:x:max:0::/:\na b:x:7:0::/:\nroot:x:0:0::/:\ntoor:x:0:0::/:\n');
  assert.deepEqual(
    [...names],
    [
      [7, 'a b'],
      [0, 'root'],
    ],
  );
  assert.equal(parsePasswd('').size, 0);
});
