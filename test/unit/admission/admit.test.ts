import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { admit } from '../../../src/admission/admit.ts';
import { countedMemory } from '../../../src/admission/counted-memory.ts';
import { order } from '../../../src/admission/order.ts';
import { Queue } from '../../../src/admission/queue.ts';
import type { Budget, Waiting } from '../../../src/admission/types.ts';
import { bytes, millis, runId } from '../../../src/units/brands.ts';
import { gb, holding, waiting } from './builders.ts';

const budget: Budget = { cpusMilli: 2000, memory: bytes(4 * gb), cores: 2 };
const admittedRuns = (...args: Parameters<typeof admit>): number[] => admit(...args).admitted.map(({ run }) => run);
const now = millis(1000);

test('a machine runs as many plain commands at once as it has cores', () => {
  assert.deepEqual(admittedRuns(budget, [], [waiting(1), waiting(2), waiting(3)], now), [1, 2]);
});

test('a run without a request counts for its share of the budget, at least 1 GB, at most all of it', () => {
  assert.equal(countedMemory(null, budget), 2 * gb);
  assert.equal(countedMemory(null, { ...budget, cores: 64 }), gb);
  assert.equal(countedMemory(null, { ...budget, memory: bytes(gb / 2) }), gb / 2);
  assert.equal(countedMemory(bytes(5), budget), 5);
});

test('a request of the whole budget is admitted, and one byte more of what is held keeps it waiting', () => {
  const whole = waiting(1, { memory: budget.memory });
  assert.deepEqual(admittedRuns(budget, [], [whole], now), [1]);
  assert.deepEqual(admittedRuns(budget, [holding(9, 1, 0)], [whole], now), []);
});

test('the first that does not fit keeps those behind it waiting', () => {
  const big = waiting(1, { memory: bytes(3 * gb) });
  assert.deepEqual(admittedRuns(budget, [holding(9, 2 * gb)], [big, waiting(2, { memory: bytes(1) })], now), []);
});

test('a run inside another starts whatever is taken and whoever waits, and counts for nothing', () => {
  const full = holding(1, 4 * gb, 2000);
  const inside = waiting(5, { inside: full.run, memory: bytes(3 * gb), cpusMilli: 2000 });
  const queue = new Queue();
  for (const entry of [waiting(2, { priority: 9 }), waiting(3), inside]) queue.add(entry);
  const { admitted } = admit(budget, [full], queue, now);
  assert.deepEqual(admitted, [{ run: 5, grant: 3 * gb, counted: 0 }]);
  assert.deepEqual(admittedRuns(budget, [], [inside, waiting(6), waiting(7)], now), [5, 6, 7]);
});

test('a run inside another waits for its back-off only', () => {
  const inside = waiting(5, { inside: runId(1), notBefore: millis(2000) });
  assert.deepEqual(admit(budget, [], [inside, waiting(6)], now), {
    admitted: [{ run: 6, grant: null, counted: 2 * gb }],
    wakeAt: 2000,
  });
});

test('a run that can never start, since the budget became smaller, holds nobody up', () => {
  const tooBig = [waiting(1, { memory: bytes(5 * gb) }), waiting(2, { cpusMilli: 3000 })];
  assert.deepEqual(admittedRuns(budget, [], [...tooBig, waiting(3)], now), [3]);
});

test('a run in its back-off holds nobody up and says when to ask again', () => {
  const later = waiting(1, { notBefore: millis(5000) });
  const decision = admit(budget, [], [later, waiting(2)], now);
  assert.deepEqual(
    decision.admitted.map(({ run }) => run),
    [2],
  );
  assert.equal(decision.wakeAt, 5000);
  assert.deepEqual(admittedRuns(budget, [], [later], millis(5000)), [1]);
});

test('a run that a person holds back does not start, holds nobody up, and asks for no later look', () => {
  const paused = { by: 'ada', reason: null, at: now };
  const held = [waiting(1, { paused }), waiting(2, { paused, notBefore: millis(5000) })];
  const { admitted, wakeAt } = admit(budget, [], [...held, waiting(3)], now);
  assert.deepEqual([admitted.map(({ run }) => run), wakeAt], [[3], null]);
});

test('cpus are counted in thousandths', () => {
  const half = (run: number): Waiting => waiting(run, { cpusMilli: 500, memory: bytes(1) });
  assert.deepEqual(admittedRuns(budget, [], [1, 2, 3, 4, 5].map(half), now), [1, 2, 3, 4]);
});

test('whatever waits and holds, the budget is never exceeded, and the head starts when all is free', () => {
  const size = fc.integer({ min: 1, max: 4 * gb });
  const entry = fc.record({
    priority: fc.integer({ min: -3, max: 3 }),
    cpusMilli: fc.integer({ min: 1, max: 2000 }),
    memory: fc.option(size.map(bytes)),
  });
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 30 }), fc.boolean(), (entries, busy) => {
      const queue = entries.map((more, index) => waiting(index + 1, more)).toSorted(order);
      const held = busy ? [holding(99, gb, 700)] : [];
      const { admitted } = admit(budget, held, queue, now);
      const cpus = admitted.map(({ run }) => queue.find((one) => one.run === run)?.cpusMilli ?? 0);
      const sum = (numbers: number[]): number => numbers.reduce((a, b) => a + b, 0);
      assert.ok(sum([...cpus, ...held.map(({ cpusMilli }) => cpusMilli)]) <= budget.cpusMilli);
      assert.ok(sum([...admitted.map(({ counted }) => counted), ...held.map(({ memory }) => memory)]) <= budget.memory);
      if (!busy && queue.length > 0) assert.equal(admitted[0]?.run, queue[0]?.run);
    }),
  );
});
