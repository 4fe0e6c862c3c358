import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { admit, nothingRemembered } from '../../../src/admission/admit.ts';
import { inOrder, placeOf } from '../../../src/admission/place.ts';
import { Queue } from '../../../src/admission/queue.ts';
import type { Waiting } from '../../../src/admission/types.ts';
import { millis, runId } from '../../../src/units/brands.ts';
import { holding, now, queueOf, runs, stateOf, waiting } from './builders.ts';

/** As people are shown it, with everything taken. */
const shown = (queue: Queue): number[] => {
  const round = admit(queue, stateOf({ holding: [holding(999, 1, 2000)] }), nothingRemembered, now);
  return runs(inOrder(queue, round));
};

test('higher priority goes first, then the older run', () => {
  const queue = queueOf(
    [[3, 0] as const, [1, 0] as const, [4, 5] as const, [2, -1] as const].map(([run, priority]) =>
      waiting(run, { priority }),
    ),
  );
  assert.deepEqual(shown(queue), [4, 1, 3, 2]);
});

test('submitters take turns, each with its oldest run', () => {
  const queue = queueOf([
    ...[1, 2, 3, 4].map((run) => waiting(run, { submitter: 'ada' })),
    ...[5, 6].map((run) => waiting(run, { submitter: 'bob' })),
  ]);
  assert.deepEqual(shown(queue), [1, 5, 2, 6, 3, 4]);
});

test('everyone is told the place that it has in the order; what can never start here has none, and counts for none', () => {
  const entry = fc.record({
    priority: fc.integer({ min: 0, max: 2 }),
    submitter: fc.constantFrom('ada', 'bob', 'cyd'),
    // There are 2000.
    cpusMilli: fc.constantFrom(500, 2000, 3000),
  });
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 25 }), (entries) => {
      const queue = queueOf(entries.map((more, index) => waiting(index + 1, more)));
      const round = admit(queue, stateOf({ holding: [holding(999, 1, 2000)] }), nothingRemembered, now);
      const [may = [], never = []] = [true, false].map((wanted) =>
        [...inOrder(queue, round)].filter(({ shape }) => shape.cpusMilli <= 2000 === wanted),
      );
      assert.equal(may.length + never.length, entries.length);
      assert.deepEqual(
        may.map((one) => placeOf(queue, round, one)),
        may.map((_, index) => ({ position: index + 1, of: may.length })),
      );
      assert.ok(never.every((one) => placeOf(queue, round, one) === null));
    }),
  );
});

test('what can never start here takes no turn of its submitter', () => {
  const queue = queueOf([
    waiting(1, { submitter: 'ada', cpusMilli: 3000 }),
    waiting(2, { submitter: 'ada' }),
    waiting(3, { submitter: 'ada' }),
    waiting(4, { submitter: 'bob' }),
    waiting(5, { submitter: 'bob' }),
  ]);
  assert.deepEqual(shown(queue), [2, 4, 3, 5, 1]);
});

test('a head is told to stand first, and who came into the line before it after it', () => {
  const queue = queueOf([waiting(5, { cpusMilli: 2000 })]);
  const state = stateOf({ holding: [holding(999, 1, 2000)] });
  const first = admit(queue, state, nothingRemembered, now);
  queue.add(waiting(1, { cpusMilli: 2000 }));
  const round = admit(queue, state, first.remembered, now);
  assert.deepEqual(runs(inOrder(queue, round)), [5, 1]);
  const held = [...queue].toSorted((a, b) => b.run - a.run).map((one) => placeOf(queue, round, one)?.position);
  assert.deepEqual(held, [1, 2]);
});

test('runs inside others, in a back-off, paused or after others stand in no order, and count', () => {
  const paused = { by: 'ada', reason: null, at: now };
  const queue = queueOf([
    waiting(1, { inside: 9 }),
    waiting(2, { notBefore: millis(now + 1) }),
    waiting(3, { paused }),
    waiting(4, { after: ['run 3'] }),
    waiting(5),
  ]);
  assert.deepEqual(shown(queue), [5]);
  assert.deepEqual([queue.size, queue.due], [5, 1]);
  assert.deepEqual([runs(queue.nested()), runs(queue.apart())], [[1], [2, 3, 4]]);
});

test('who sleeps stands in the order when its time has come, and the next moment is known', () => {
  const queue = queueOf([3, 1, 2].map((run) => waiting(run, { notBefore: millis(now + run * 10) })));
  assert.equal(queue.nextWake(now), now + 10);
  queue.wake(millis(now + 20));
  assert.deepEqual(shown(queue), [1, 2]);
  assert.equal(queue.nextWake(now), now + 30);
});

test('a run inside another that may not start asks for no look in the past', () => {
  const queue = queueOf([waiting(1, { inside: 9, notBefore: millis(now - 5), after: ['run 3'] })]);
  assert.equal(queue.nextWake(now), null);
});

test('a run that is added again is there once, in its new place', () => {
  const queue = queueOf([waiting(1), waiting(2), waiting(1, { priority: -5 })]);
  assert.deepEqual([shown(queue), queue.size], [[2, 1], 2]);
});

test('alike runs share one shape, and runs of a command that is learned get one of their own', () => {
  const known = new Set<string>();
  const queue = new Queue((command) => known.has(command));
  for (const run of [1, 2]) queue.add(waiting(run, { command: 'make' }));
  queue.add(waiting(3, { command: 'sort' }));
  const shape = (run: number): unknown => queue.get(runId(run))?.shape;
  assert.ok(shape(1) === shape(2) && shape(2) === shape(3));
  known.add('make');
  queue.learned('make');
  assert.ok(shape(1) === shape(2) && shape(2) !== shape(3));
  assert.equal(queue.get(runId(1))?.shape.command, 'make');
  assert.deepEqual(shown(queue), [1, 2, 3]);
});

test('after any adding, removing and waking it holds what a plain list would', () => {
  const step = fc.record({
    run: fc.integer({ min: 1, max: 20 }),
    priority: fc.integer({ min: -2, max: 2 }),
    cpusMilli: fc.constantFrom(500, 1000, 2000),
    submitter: fc.constantFrom('ada', 'bob'),
    notBefore: fc.option(fc.integer({ min: 0, max: 5 }).map((after) => millis(now + after))),
    add: fc.boolean(),
    at: fc.integer({ min: 0, max: 5 }),
  });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const queue = new Queue();
      const model = new Map<number, Waiting>();
      let at: number = now;
      for (const { run, add, at: later, ...more } of steps) {
        at = Math.max(at, now + later);
        queue.wake(millis(at));
        if (add) {
          queue.add(waiting(run, more));
          model.set(run, waiting(run, more));
        } else {
          assert.equal(queue.remove(runId(run)) !== null, model.delete(run));
        }
        queue.wake(millis(at));
        const due = [...model.values()].filter(({ notBefore }) => notBefore === null || notBefore <= at);
        assert.deepEqual([queue.size, queue.due], [model.size, due.length]);
        assert.deepEqual(new Set(shown(queue)), new Set(runs(due)));
        const perLine = Map.groupBy(due, (one) => `${one.priority} ${one.submitter}`);
        const found = new Map(
          [...queue.levels()].flatMap(({ priority, lines }) =>
            [...lines.values()].map((line) => [`${priority} ${line.submitter}`, runs(line.runs)]),
          ),
        );
        assert.deepEqual(
          found,
          new Map([...perLine].map(([key, some]) => [key, runs(some).toSorted((a, b) => a - b)])),
        );
        for (const level of queue.levels())
          for (const { lanes } of level.lines.values())
            assert.deepEqual(
              lanes.map((lane) => lane.runs.first?.run),
              lanes.map((lane) => lane.runs.first?.run).toSorted((a, b) => Number(a) - Number(b)),
            );
      }
    }),
  );
});
