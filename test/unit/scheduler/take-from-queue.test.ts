import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Queue } from '../../../src/admission/queue.ts';
import { Signal } from '../../../src/scheduler/signal.ts';
import { takeFromQueue } from '../../../src/scheduler/take-from-queue.ts';
import { runId } from '../../../src/units/brands.ts';
import { waiting } from '../admission/builders.ts';

test('runs that are about to be killed are out of the queue, and only those that were not come back', () => {
  const [queue, moved] = [new Queue(), new Signal()];
  for (const run of [1, 2, 3, 4]) queue.add(waiting(run));
  let raised = 0;
  moved.listen(() => (raised += 1));
  const taken = takeFromQueue({ queue, moved }, [1, 2, 3, 9].map(runId));
  const there = (): number[] => [1, 2, 3, 4, 9].filter((run) => queue.has(runId(run)));
  assert.deepEqual(there(), [4]);
  taken.keep(runId(1));
  // It had its start meanwhile, and waits for another one.
  queue.add(waiting(3, { priority: 7 }));
  taken.putBack();
  assert.deepEqual(there(), [2, 3, 4]);
  assert.equal(queue.get(runId(3))?.priority, 7);
  assert.equal(raised, 1);
});

test('with all of them killed nothing comes back, and nobody is asked to admit again', () => {
  const [queue, moved] = [new Queue(), new Signal()];
  queue.add(waiting(1));
  let raised = 0;
  moved.listen(() => (raised += 1));
  const taken = takeFromQueue({ queue, moved }, [runId(1)]);
  taken.keep(runId(1));
  taken.putBack();
  assert.deepEqual([queue.size, raised], [0, 0]);
});
