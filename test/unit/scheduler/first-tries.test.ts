import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FirstTries } from '../../../src/scheduler/first-tries.ts';
import { runId, type Millis } from '../../../src/units/brands.ts';

const fakeTimers = () => {
  const set: { readonly ms: Millis; readonly fire: () => void }[] = [];
  let cancelled = 0;
  const timers = {
    set: (ms: Millis, fire: () => void) => {
      set.push({ ms, fire });
      return () => void (cancelled += 1);
    },
  };
  return { timers, set, cancelled: () => cancelled };
};

const run = runId(7);

test('a first try is waited for until it is over, and for no other run', async () => {
  const { timers, cancelled } = fakeTimers();
  const tries = new FirstTries();
  const { promise, resolve } = Promise.withResolvers<void>();
  tries.add(run, promise, timers);
  assert.equal(tries.of(runId(8)), null);
  let over = false;
  const waited = tries.of(run)?.then(() => (over = true));
  await new Promise(setImmediate);
  assert.equal(over, false);
  resolve();
  await waited;
  assert.equal(tries.of(run), null);
  assert.equal(cancelled(), 1);
});

test('one that takes longer than half a minute is waited for no longer', async () => {
  const { timers, set } = fakeTimers();
  const tries = new FirstTries();
  tries.add(run, new Promise(() => {}), timers);
  const waited = tries.of(run);
  assert.equal(set[0]?.ms, 30_000);
  set[0]?.fire();
  await waited;
  assert.equal(tries.of(run), null);
});

test('of two starts of a run the later one is waited for, also when the earlier one is over', async () => {
  const { timers } = fakeTimers();
  const tries = new FirstTries();
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  tries.add(run, first.promise, timers);
  const waited = tries.of(run);
  tries.add(run, second.promise, timers);
  first.resolve();
  await waited;
  assert.notEqual(tries.of(run), null);
  second.resolve();
  await tries.of(run);
  assert.equal(tries.of(run), null);
});
