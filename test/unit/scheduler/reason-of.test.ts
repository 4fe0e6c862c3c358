import assert from 'node:assert/strict';
import { test } from 'node:test';
import { admit, nothingRemembered } from '../../../src/admission/admit.ts';
import { Queue } from '../../../src/admission/queue.ts';
import type { Paused } from '../../../src/runs/paused.ts';
import { waitOf } from '../../../src/scheduler/reason-of.ts';
import type { Scheduler } from '../../../src/scheduler/scheduler.ts';
import { Stall } from '../../../src/scheduler/stall.ts';
import { millis, runId } from '../../../src/units/brands.ts';
import { holding, lock, now, stateOf, waiting } from '../admission/builders.ts';

/** Run 2 needs a lock that run 1 holds, and could not be claimed at the last try: it is tried again 5 s later. */
const kindAt = (at: number, paused: Paused | null = null): string | undefined => {
  const needs = [lock('db')];
  const queue = new Queue();
  queue.add(waiting(2, { needs, notBefore: millis(now + 5000), paused }));
  queue.wake(millis(at));
  const state = stateOf({ holding: [holding(1, 1, 1000, { needs })] });
  const scheduler = {
    queue,
    round: admit(queue, state, nothingRemembered, millis(at)),
    host: { monotonicUs: () => at * 1000, now: () => at },
    troubles: new Map([[runId(2), 'cannot be started: …']]),
    stall: new Stall(),
    outlook: { untilStart: () => null },
    paused: null,
    down: false,
  } as unknown as Scheduler;
  return waitOf(scheduler, runId(2)).waiting?.kind;
};

test('what went wrong at the last try is told until the next one, and not for what a person holds, or what waits for something else by then', () => {
  assert.equal(kindAt(now), 'trouble');
  assert.equal(kindAt(now + 5000), 'lock');
  assert.equal(kindAt(now, { by: 'ada', reason: null, at: now }), 'paused');
});
