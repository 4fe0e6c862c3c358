import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nothingRemembered } from '../../../src/admission/admit.ts';
import { estimates } from '../../../src/admission/estimate.ts';
import { bytes, millis } from '../../../src/units/brands.ts';
import { gb, holding, now, queueOf, stateOf, waiting, type Given } from './builders.ts';

const learned = { make: { memory: null, typicalMs: millis(60_000), longestMs: millis(90_000) } };
const whole = (run: number, command: string | null = 'make') => waiting(run, { cpusMilli: 2000, command });
const busy = (endsAt: number | null) => holding(9, 1, 2000, { endsAt: endsAt === null ? null : millis(endsAt) });
/** In seconds from now. */
const waits = (entries: ReturnType<typeof waiting>[], given: Given): Record<number, number> =>
  Object.fromEntries(
    [...estimates(queueOf(entries, given), stateOf(given), nothingRemembered, now)].map(([run, at]) => [
      run,
      (at - now) / 1000,
    ]),
  );

test('who waits for known ends is told when its turn comes, each after those before it', () => {
  const given = { learned, holding: [busy(now + 30_000)] };
  assert.deepEqual(waits([whole(1), whole(2), whole(3)], given), { 1: 30, 2: 90, 3: 150 });
});

test('behind an unknown end there is no estimate: of what runs, of what waits before, of what is over its time', () => {
  assert.deepEqual(waits([whole(1)], { learned, holding: [busy(null)] }), {});
  assert.deepEqual(waits([whole(1, null), whole(2)], { learned, holding: [busy(now + 30_000)] }), { 1: 30 });
  assert.deepEqual(waits([whole(1)], { learned, holding: [busy(now)] }), {});
});

test('an unknown end that is in nobody’s way does not matter', () => {
  const given = { learned, holding: [holding(8, 1, 1000), holding(9, 1, 1000, { endsAt: millis(now + 5000) })] };
  assert.deepEqual(waits([waiting(1, { command: 'make', memory: bytes(1) })], given), { 1: 5 });
});

test('what the machine itself lacks has no estimate, and what runs use comes free with their end', () => {
  const one = [waiting(1, { memory: bytes(3 * gb) })];
  const used = holding(9, gb, 100, { residentBytes: bytes(gb), endsAt: millis(now + 5000) });
  const machine = (available: number) => ({ machine: { availableBytes: bytes(available) }, holding: [used] });
  assert.deepEqual(waits(one, machine(gb)), { 1: 5 });
  assert.deepEqual(waits(one, machine(gb - 1)), {});
});

test('a paused queue has none', () => {
  const given = { learned, holding: [busy(now + 1)], paused: { by: 'ada', reason: null, at: now } };
  assert.deepEqual(waits([whole(1)], given), {});
});
