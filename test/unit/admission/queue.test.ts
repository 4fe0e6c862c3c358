import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { order } from '../../../src/admission/order.ts';
import { Queue } from '../../../src/admission/queue.ts';
import type { Waiting } from '../../../src/admission/types.ts';
import { runId } from '../../../src/units/brands.ts';

const entry = (run: number, priority: number): Waiting => ({
  run: runId(run),
  priority,
  cpusMilli: 1000,
  memory: null,
  inside: null,
  notBefore: null,
  paused: null,
});

test('higher priority goes first, then the older run', () => {
  const queue = new Queue();
  for (const [run, priority] of [
    [3, 0],
    [1, 0],
    [4, 5],
    [2, -1],
  ] as const) {
    queue.add(entry(run, priority));
  }
  assert.deepEqual(
    [...queue].map(({ run }) => run),
    [4, 1, 3, 2],
  );
});

test('runs inside others stand first, in their order, and are found without a look at the rest', () => {
  const queue = new Queue();
  const inside = runId(1);
  for (const one of [entry(2, 9), { ...entry(5, 0), inside }, entry(3, 0), { ...entry(4, 0), inside }]) queue.add(one);
  const runs = (some: Iterable<Waiting>): number[] => [...some].map(({ run }) => run);
  assert.deepEqual(runs(queue), [4, 5, 2, 3]);
  assert.deepEqual(runs(queue.nested()), [4, 5]);
  queue.remove(runId(4));
  assert.deepEqual(runs(queue.nested()), [5]);
});

test('a run that is added again is there once, in its new place', () => {
  const queue = new Queue();
  queue.add(entry(1, 0));
  queue.add(entry(2, 0));
  queue.add(entry(1, -5));
  assert.deepEqual(
    [...queue].map(({ run }) => run),
    [2, 1],
  );
  assert.equal(queue.size, 2);
});

test('after any adding and removing it holds the same as a sorted list', () => {
  const step = fc.record({
    run: fc.integer({ min: 1, max: 20 }),
    priority: fc.integer({ min: -2, max: 2 }),
    add: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const queue = new Queue();
      const model = new Map<number, Waiting>();
      for (const { run, priority, add } of steps) {
        if (add) {
          queue.add(entry(run, priority));
          model.set(run, entry(run, priority));
        } else {
          assert.equal(queue.remove(runId(run)) !== null, model.delete(run));
        }
      }
      assert.deepEqual([...queue], [...model.values()].toSorted(order));
    }),
  );
});
