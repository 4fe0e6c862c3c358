import assert from 'node:assert/strict';
import { test } from 'node:test';
import { admit, nothingRemembered } from '../../../src/admission/admit.ts';
import { needsEndOf } from '../../../src/admission/needs-end-of.ts';
import type { Waiting } from '../../../src/admission/types.ts';
import { bytes, runId } from '../../../src/units/brands.ts';
import { gb, gpu, holding, lock, now, queueOf, stateOf, waiting, type Given } from './builders.ts';

/** Whether run `run` needs the end of run 1, which waits for it. */
const stuck = (run: number, entries: readonly Waiting[], given: Given): boolean => {
  const queue = queueOf(entries, given);
  const round = admit(queue, stateOf(given), nothingRemembered, now);
  for (const one of round.admitted) queue.remove(one.run);
  const entry = queue.get(runId(run));
  return entry !== null && needsEndOf(queue, round, entry, new Set([runId(1)]));
};

test('a run that wants more than its waiter leaves needs the waiter’s end', () => {
  const given = { holding: [holding(1, 3 * gb)] };
  assert.equal(stuck(2, [waiting(2, { memory: bytes(2 * gb) })], given), true);
});

test('what another run holds comes free, and the waiter need not end for it', () => {
  const given = { holding: [holding(1, gb), holding(3, 3 * gb)] };
  assert.equal(stuck(2, [waiting(2, { memory: bytes(2 * gb) })], given), false);
});

test('a lock that the waiter holds needs its end, another’s does not', () => {
  const wanting = [waiting(2, { memory: bytes(1), needs: [lock('db')] })];
  assert.equal(stuck(2, wanting, { holding: [holding(1, 1, 1, { needs: [lock('db')] })] }), true);
  assert.equal(stuck(2, wanting, { holding: [holding(1, 1, 1), holding(3, 1, 1, { needs: [lock('db')] })] }), false);
});

test('behind a head that needs the waiter’s end, nobody starts before it either', () => {
  const given = { holding: [holding(1, 2 * gb, 100)] };
  const entries = [
    waiting(2, { memory: bytes(3 * gb), cpusMilli: 100 }),
    waiting(3, { memory: bytes(2 * gb), cpusMilli: 100 }),
  ];
  assert.equal(stuck(3, entries, given), true);
});

test('pressure, other users’ runs and a busy device pass without the waiter’s end', () => {
  const user = { pid: 7, user: 'ada', name: 'train' };
  const machine = { memoryPressure: 90, others: [{ user: 'ada', bytes: bytes(3 * gb) }], gpus: [gpu(0, user)] };
  const given = { machine, holding: [holding(1, gb)] };
  assert.equal(stuck(2, [waiting(2, { memory: bytes(gb), gpus: 1 })], given), false);
});
