import assert from 'node:assert/strict';
import { test } from 'node:test';
import { learnedFrom, successOf, successesKept, withSuccess, type Success } from '../../../src/runs/learning.ts';
import { bytes, millis } from '../../../src/units/brands.ts';

const mb = 1024 ** 2;
const success = (peakMb: number | null, seconds: number): Success => ({
  peakBytes: peakMb === null ? null : bytes(peakMb * mb),
  durationMs: millis(seconds * 1000),
});

test('no success teaches nothing', () => {
  assert.equal(learnedFrom([]), null);
});

test('what a run is thought to need is the highest peak and a tenth, in steps of 16 MB', () => {
  assert.equal(learnedFrom([success(100, 1), success(300, 1), success(200, 1)])?.memory, 336 * mb);
  assert.equal(learnedFrom([success(0.5, 1)])?.memory, 16 * mb);
  assert.equal(learnedFrom([success(160 / 1.1, 1)])?.memory, 160 * mb);
});

test('a success without a peak teaches how long it takes, and no memory', () => {
  assert.deepEqual(learnedFrom([success(null, 7)]), { memory: null, typicalMs: 7000, longestMs: 7000 });
  assert.equal(learnedFrom([success(null, 7), success(100, 7)])?.memory, 112 * mb);
});

test('the typical duration is the median, so that one odd run does not count', () => {
  const { typicalMs, longestMs } = learnedFrom([success(1, 10), success(1, 500), success(1, 12)]) ?? {};
  assert.deepEqual([typicalMs, longestMs], [12_000, 500_000]);
});

test('the newest ten are kept', () => {
  let known: readonly Success[] = [];
  for (let run = 1; run <= 12; run += 1) known = withSuccess(known, success(run, run));
  assert.equal(known.length, successesKept);
  assert.deepEqual([known[0]?.durationMs, known.at(-1)?.durationMs], [12_000, 3000]);
});

test('a peak within 5 % of the limit was kept down by it, and is not taken for the need', () => {
  const end = (peak: number | null) =>
    successOf({
      peakBytes: peak === null ? null : bytes(peak),
      limitBytes: bytes(1000),
      startedAt: millis(50),
      endedAt: millis(80),
    }).peakBytes;
  assert.deepEqual([end(949), end(950), end(1200), end(null)], [949, null, null, null]);
});

test('a clock that was set back gives no negative duration', () => {
  const { durationMs } = successOf({ peakBytes: null, limitBytes: null, startedAt: millis(80), endedAt: millis(50) });
  assert.equal(durationMs, 0);
});
