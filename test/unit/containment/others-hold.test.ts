import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunCgroup } from '../../../src/containment/other-runs.ts';
import { othersHold } from '../../../src/containment/others-hold.ts';
import { ownLimitPressure } from '../../../src/containment/own-limit-pressure.ts';

const measures = { budgetBytes: 1000, shareBytes: 250 };
const run = (limitBytes: number | null, currentBytes: number | null, uid: number | null = 1): RunCgroup => ({
  folder: '/c',
  uid,
  limitBytes,
  currentBytes,
  someAvg10: null,
});
const held = (...runs: RunCgroup[]): number => othersHold(runs, measures)[0]?.bytes ?? 0;

test('a run counts for its limit, whatever it uses now', () => {
  assert.equal(held(run(300, 10)), 300);
  assert.equal(held(run(300, 320)), 300);
  assert.equal(held(run(749, 0)), 749);
});

test('one that may have about all there is was promised a share, and counts for more once it uses more', () => {
  assert.equal(held(run(1000, 10)), 250);
  assert.equal(held(run(750, 10)), 250);
  assert.equal(held(run(5000, 600)), 600);
  assert.equal(held(run(1000, null)), 250);
});

test('one without any limit counts for what it uses', () => {
  assert.equal(held(run(null, 70)), 70);
  assert.equal(held(run(null, null)), 0);
});

test('what one user’s runs hold is told together, the most first, and nothing of who holds nothing', () => {
  assert.deepEqual(
    othersHold([run(100, 0, 7), run(400, 0, 8), run(200, 0, 7), run(null, 0, 9), run(5, 0, null)], measures),
    [
      { uid: 8, bytes: 400 },
      { uid: 7, bytes: 300 },
      { uid: null, bytes: 5 },
    ],
  );
  assert.deepEqual(othersHold([], measures), []);
});

test('another’s run at its own limit causes the machine’s pressure as one of ours would; one without a limit does not', () => {
  const stalled = (limitBytes: number | null): RunCgroup => ({ ...run(limitBytes, 100), someAvg10: 60 });
  assert.equal(ownLimitPressure([stalled(100)]), 60);
  assert.equal(ownLimitPressure([stalled(200), stalled(null)]), 0);
});
