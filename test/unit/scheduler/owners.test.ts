import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Owners } from '../../../src/scheduler/owners.ts';
import { millis } from '../../../src/units/brands.ts';

/** Owners over a clock that the test moves. */
const setUp = () => {
  let now = 0;
  const due = new Map<object, { at: number; call: () => void }>();
  const gone: string[] = [];
  const timers = {
    set: (after: number, then: () => void) => {
      const key = {};
      due.set(key, { at: now + after, call: then });
      return () => due.delete(key);
    },
  };
  /** As a loop that was blocked sees it: what fell due meanwhile is called once, late. */
  const stall = (ms: number): void => {
    now += ms;
    for (const [key, { at, call }] of due) {
      if (at > now) continue;
      due.delete(key);
      call();
    }
  };
  const pass = (ms: number): void => {
    for (const end = now + ms; now < end;) stall(Math.min(end, ...[...due.values()].map(({ at }) => at)) - now);
  };
  return { owners: new Owners(timers, (owner) => gone.push(owner)), gone, pass, stall, waiting: due };
};
const patience = millis(10_000);

test('an owner that went away is gone after its patience, once', () => {
  const { owners, gone, pass } = setUp();
  const leave = owners.enter('a', patience);
  pass(60_000);
  leave();
  leave();
  pass(9999);
  assert.deepEqual(gone, []);
  pass(1);
  pass(60_000);
  assert.deepEqual(gone, ['a']);
});

test('an owner that comes back in time is not gone', () => {
  const { owners, gone, pass } = setUp();
  owners.enter('a', patience)();
  pass(9000);
  owners.enter('a', patience);
  pass(60_000);
  assert.deepEqual(gone, []);
});

test('a daemon that was too busy to hear an owner does not take it for gone', () => {
  const { owners, gone, pass, stall } = setUp();
  owners.expect('a', patience);
  stall(60_000);
  assert.deepEqual(gone, []);
  owners.enter('a', patience);
  pass(60_000);
  assert.deepEqual(gone, [], 'its call was there all the time');
});

test('an owner with two connections is there until both are closed', () => {
  const { owners, gone, pass } = setUp();
  const [first, second] = [owners.enter('a', patience), owners.enter('a', patience)];
  first();
  pass(60_000);
  assert.deepEqual(gone, []);
  second();
  pass(10_000);
  assert.deepEqual(gone, ['a']);
});

test('an owner that submitted and never came is gone', () => {
  const { owners, gone, pass } = setUp();
  owners.expect('a', patience);
  pass(10_000);
  assert.deepEqual(gone, ['a']);
});

test('an owner that let its runs go is forgotten, and leaves no timer behind', () => {
  const { owners, gone, pass, waiting } = setUp();
  owners.expect('a', patience);
  owners.forget('a');
  pass(60_000);
  assert.deepEqual(gone, []);
  assert.equal(waiting.size, 0);
});
