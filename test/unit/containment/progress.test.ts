import assert from 'node:assert/strict';
import { test } from 'node:test';
import { progressOf, progressThresholds, type Course, type Progress } from '../../../src/containment/progress.ts';

const zero: Progress = {
  cacheBytes: 0,
  stolenPages: 0,
  refaultPages: 0,
  majorFaults: 0,
  writtenBytes: 0,
  readBytes: 0,
  userUs: 0,
};
const after = (changes: Partial<Progress>, seconds = 10): Course => progressOf(zero, { ...zero, ...changes }, seconds);

test('memory of its own that cannot be reclaimed is no progress, whatever CPU the kernel gives it', () => {
  assert.equal(after({}), 'stuck');
  assert.equal(after({ userUs: 9_000_000 }), 'stuck');
});

test('a program whose own code is reclaimed and faulted in again thrashes', () => {
  assert.equal(after({ stolenPages: 50_000, refaultPages: 50_000, majorFaults: 2_000 }), 'thrash');
});

test('new page cache is progress: a file that is written or read for the first time', () => {
  assert.equal(after({ stolenPages: 50_000 }), 'progress');
  assert.equal(after({ stolenPages: 50_000, refaultPages: 20_000, majorFaults: 20_000 }), 'progress');
});

test('cache that grows in place of what was reclaimed is new too', () => {
  assert.equal(after({ cacheBytes: 50 * 1024 ** 2 }), 'progress');
});

test('a file that is read again by read(2) is progress, since it faults hardly at all', () => {
  assert.equal(after({ stolenPages: 50_000, refaultPages: 50_000, majorFaults: 10 }), 'progress');
});

test('what reaches a disk is progress', () => {
  assert.equal(after({ writtenBytes: progressThresholds.writtenBytesPerSecond * 10 }), 'progress');
  assert.equal(after({ writtenBytes: progressThresholds.writtenBytesPerSecond * 10 - 1 }), 'stuck');
});

test('a program that works on mapped files gets on while it still computes', () => {
  const thrash = { stolenPages: 50_000, refaultPages: 50_000, majorFaults: 5_000 };
  assert.equal(after({ ...thrash, userUs: 2_500_000 }), 'progress');
  assert.equal(after({ ...thrash, userUs: 2_400_000 }), 'stuck');
});

test('exactly the floor of new cache a second is progress, a page less is not', () => {
  const pages = (progressThresholds.cacheBytesPerSecond * 10) / 4096;
  assert.equal(after({ stolenPages: pages }), 'progress');
  assert.equal(after({ stolenPages: pages - 1 }), 'stuck');
  assert.equal(after({ stolenPages: pages }, 20), 'stuck');
});

test('counts that went back, time that did not pass and figures that are missing prove no progress', () => {
  const many: Progress = { ...zero, stolenPages: 1e6, writtenBytes: 1e9 };
  assert.equal(progressOf(many, zero, 10), 'stuck');
  for (const seconds of [0, -1, NaN]) assert.equal(progressOf(zero, many, seconds), 'stuck');
  const unknown: Progress = {
    cacheBytes: null,
    stolenPages: null,
    refaultPages: null,
    majorFaults: null,
    writtenBytes: null,
    readBytes: null,
    userUs: null,
  };
  assert.equal(progressOf(unknown, many, 10), 'stuck');
  assert.equal(progressOf(many, unknown, 10), 'stuck');
  assert.equal(progressOf({ ...zero, cacheBytes: null }, { ...many, stolenPages: 50_000 }, 10), 'progress');
});

test('thrash is two major faults a second at least, each for a page that was there before, in a program that hardly computes', () => {
  const thrash = { refaultPages: 20, majorFaults: 20, userUs: 499_999 };
  assert.equal(after(thrash), 'thrash');
  assert.equal(after({ ...thrash, majorFaults: 19 }), 'stuck');
  assert.equal(after({ ...thrash, refaultPages: 19 }), 'stuck', 'pages that it sees for the first time');
  assert.equal(after({ ...thrash, userUs: 500_000 }), 'stuck');
  assert.equal(after({ ...thrash, readBytes: 2 * 20 * 4096 }), 'thrash');
  assert.equal(after({ ...thrash, readBytes: 2 * 20 * 4096 + 1 }), 'stuck', 'it reads past the page cache');
  assert.equal(progressOf({ ...zero, userUs: null }, { ...zero, ...thrash }, 10), 'stuck');
});

test('where the kernel does not count what is read from disks nobody thrashes: it may all be read past the page cache', () => {
  const thrash = { refaultPages: 20, majorFaults: 20 };
  assert.equal(progressOf(zero, { ...zero, ...thrash, readBytes: null }, 10), 'stuck');
  assert.equal(progressOf({ ...zero, readBytes: null }, { ...zero, ...thrash }, 10), 'stuck');
});
