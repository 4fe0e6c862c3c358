import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reason } from '../../../src/admission/reason.ts';
import type { Budget } from '../../../src/admission/types.ts';
import { bytes, millis, runId } from '../../../src/units/brands.ts';
import { gb, holding, waiting as plain } from './builders.ts';

const budget: Budget = { cpusMilli: 2000, memory: bytes(20 * gb), cores: 2 };
const waiting = (run: number, more: Parameters<typeof plain>[1] = {}) => plain(run, { memory: bytes(gb), ...more });
const now = millis(1000);

test('who is short of memory hears how much, how much is free, and who holds it', () => {
  const held = [holding(7, 12 * gb, 500), holding(8, 3 * gb, 500)];
  assert.equal(
    reason(runId(9), budget, held, [waiting(9, { memory: bytes(16 * gb) })], now),
    'needs 16 GB of memory; 5120 MB of 20 GB free; held by runs 7, 8',
  );
});

test('who is short of cores hears so', () => {
  assert.equal(
    reason(runId(9), budget, [holding(7, gb, 2000)], [waiting(9)], now),
    'needs 1 core; 0 cores of 2 cores free; held by run 7',
  );
});

test('who is not at the head hears its place and who is', () => {
  const queue = [waiting(1, { memory: bytes(19 * gb) }), waiting(2), waiting(3)];
  assert.equal(reason(runId(3), budget, [holding(7, 2 * gb)], queue, now), 'is number 3 in the queue, behind run 1');
});

test('a run in its back-off says how long, and nobody is behind it', () => {
  const queue = [waiting(1, { notBefore: millis(4500) }), waiting(2)];
  assert.equal(reason(runId(1), budget, [], queue, now), 'waits 4 s before its next start');
  assert.equal(reason(runId(2), budget, [], queue, now), null);
});

test('a run that a person holds back says who does, since when and why, and nobody is behind it', () => {
  const paused = { by: 'ada', reason: 'the backup runs', at: millis(now - 125_000) };
  const queue = [waiting(1, { paused, notBefore: millis(now + 4500) }), waiting(2)];
  assert.equal(
    reason(runId(1), budget, [], queue, now),
    'is paused by ada for 2m 5s: the backup runs; `orca resume 1` lets it start',
  );
  assert.equal(reason(runId(2), budget, [], queue, now), null);
});

test('a run that can never fit says so, and nobody is behind it', () => {
  const never = waiting(1, { memory: bytes(21 * gb) });
  assert.equal(reason(runId(2), budget, [], [never, waiting(2)], now), null);
  assert.match(
    reason(runId(1), budget, [], [waiting(1, { memory: bytes(21 * gb) })], now) ?? '',
    /^can never start here: 21 GB of memory/,
  );
});

test('many holders are named by the largest three', () => {
  const held = [1, 2, 3, 4, 5].map((run) => holding(run, run * gb, 100));
  assert.match(
    reason(runId(9), budget, held, [waiting(9, { memory: bytes(10 * gb) })], now) ?? '',
    /held by runs 5, 4, 3 and 2 more$/,
  );
});
