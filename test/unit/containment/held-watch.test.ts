import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HeldWatch, type HeldCheck } from '../../../src/containment/held-watch.ts';
import type { Progress } from '../../../src/containment/progress.ts';

const held = (key: string, progress: Progress | null = null): HeldCheck<string> => ({ key, held: 'memory', progress });
const byFiles = (key: string, progress: Progress | null): HeldCheck<string> => ({ key, held: 'files', progress });
const free = (key: string): HeldCheck<string> => ({ key, held: null, progress: null });

/** Readings of a run that is stuck, but for what is given. */
const reading = (changes: Partial<Progress> = {}): Progress => ({
  cacheBytes: 0,
  stolenPages: 0,
  refaultPages: 0,
  majorFaults: 0,
  writtenBytes: 0,
  readBytes: 0,
  userUs: 0,
  ...changes,
});

test('a start is named when it has been held for exactly the set time, and not a moment before', () => {
  const watch = new HeldWatch<string>();
  assert.deepEqual(watch.due([held('a')], 120, 1000), []);
  assert.deepEqual(watch.due([held('a')], 120, 120_999), []);
  assert.deepEqual(watch.due([held('a')], 120, 121_000), ['a']);
});

test('one look that is below either threshold restarts the clock', () => {
  const watch = new HeldWatch<string>();
  watch.due([held('a')], 10, 0);
  watch.due([free('a')], 10, 5000);
  assert.equal(watch.heldSince('a'), null);
  assert.deepEqual(watch.due([held('a')], 10, 6000), []);
  assert.deepEqual(watch.due([held('a')], 10, 15_999), []);
  assert.deepEqual(watch.due([held('a')], 10, 16_000), ['a']);
});

test('each start is named once, also when it is free for a while and held again', () => {
  const watch = new HeldWatch<string>();
  watch.due([held('a')], 1, 0);
  assert.deepEqual(watch.due([held('a')], 1, 1000), ['a']);
  assert.deepEqual(watch.due([held('a')], 1, 5000), []);
  watch.due([free('a')], 1, 6000);
  watch.due([held('a')], 1, 7000);
  assert.deepEqual(watch.due([held('a')], 1, 9000), []);
});

test('with 0 seconds nobody is ever named, and the time does not count later', () => {
  const watch = new HeldWatch<string>();
  for (const now of [0, 1000, 1e9]) assert.deepEqual(watch.due([held('a')], 0, now), []);
  assert.deepEqual(watch.due([held('a')], 5, 1e9 + 1), []);
});

test('several starts have clocks of their own', () => {
  const watch = new HeldWatch<string>();
  watch.due([held('a'), free('b'), held('c')], 10, 0);
  watch.due([held('a'), held('b'), held('c')], 10, 4000);
  assert.deepEqual(watch.due([held('a'), held('b'), held('c')], 10, 10_000), ['a', 'c']);
  assert.deepEqual(watch.due([held('a'), held('b')], 10, 14_000), ['b']);
});

test('a start that is gone is forgotten', () => {
  const watch = new HeldWatch<string>();
  watch.due([held('a')], 10, 0);
  watch.due([], 10, 1000);
  assert.deepEqual(watch.due([held('a')], 10, 10_000), []);
  assert.equal(watch.heldSince('a'), 10_000);
});

test('a new watch, as a restarted daemon has, starts the clock anew', () => {
  const before = new HeldWatch<string>();
  before.due([held('a')], 10, 0);
  const after = new HeldWatch<string>();
  assert.deepEqual(after.due([held('a')], 10, 10_000), []);
  assert.deepEqual(after.due([held('a')], 10, 20_000), ['a']);
});

test('a shorter time holds from the next look on', () => {
  const watch = new HeldWatch<string>();
  watch.due([held('a')], 120, 0);
  assert.deepEqual(watch.due([held('a')], 3, 4000), ['a']);
});

test('a run that makes progress through page cache is not named, however long', () => {
  const watch = new HeldWatch<string>();
  for (let second = 0; second <= 600; second += 1) {
    const progress = reading({ stolenPages: second * 10_000 });
    assert.deepEqual(watch.due([held('a', progress)], 120, second * 1000), [], `second ${second}`);
  }
});

test('a run whose progress ends is named the set time after its last window with progress', () => {
  const watch = new HeldWatch<string>();
  const at = (second: number): Progress => reading({ stolenPages: Math.min(second, 55) * 10_000 });
  for (let second = 0; second < 180; second += 1)
    assert.deepEqual(watch.due([held('a', at(second))], 120, second * 1000), [], `second ${second}`);
  assert.deepEqual(watch.due([held('a', at(180))], 120, 180_000), ['a']);
});

test('progress in the last seconds before the time is up counts', () => {
  const watch = new HeldWatch<string>();
  watch.due([held('a', reading())], 15, 0);
  watch.due([held('a', reading())], 15, 10_000);
  assert.deepEqual(watch.due([held('a', reading({ stolenPages: 100_000 }))], 15, 15_000), []);
});

test('a run that is stuck, or whose progress cannot be read, is named by the thresholds alone', () => {
  for (const progress of [reading(), null]) {
    const watch = new HeldWatch<string>();
    watch.due([held('a', progress)], 3, 0);
    assert.deepEqual(watch.due([held('a', progress)], 3, 3000), ['a']);
  }
});

/** A thrashing run's counts after so many seconds. */
const thrash = (second: number): Progress =>
  reading({ stolenPages: second * 500, refaultPages: second * 500, majorFaults: second * 17 });

test('a run that waits for files is named when it thrashed in every window', () => {
  const watch = new HeldWatch<string>();
  for (let second = 0; second < 30; second += 1)
    assert.deepEqual(watch.due([byFiles('a', thrash(second))], 30, second * 1000), [], `second ${second}`);
  assert.deepEqual(watch.due([byFiles('a', thrash(30))], 30, 30_000), ['a']);
});

test('one that waits for a disk without thrashing, or whose counts cannot be read, is never named', () => {
  for (const progress of [reading(), null]) {
    const watch = new HeldWatch<string>();
    for (let second = 0; second <= 100; second += 1)
      assert.deepEqual(watch.due([byFiles('a', progress)], 3, second * 1000), [], `second ${second}`);
  }
});

test('one look that only the wait for files speaks for makes its window one that must show thrash', () => {
  const watch = new HeldWatch<string>();
  watch.due([held('a', reading())], 10, 0);
  watch.due([byFiles('a', reading())], 10, 5000);
  assert.deepEqual(watch.due([held('a', reading())], 10, 10_000), []);
  assert.equal(watch.heldSince('a'), 10_000);
  assert.deepEqual(watch.due([held('a', reading())], 10, 20_000), ['a']);
});
