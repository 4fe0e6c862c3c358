import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeptBackLog, type Seen } from '../../../src/admission/kept-back.ts';
import { millis, runId } from '../../../src/units/brands.ts';

const seen = (run: number, kind: string, holders: number[] = [], words = kind): Seen => ({
  run: runId(run),
  kind,
  holders: holders.map(runId),
  words,
});

test('what kept a run while it was among the first is told with its time and holders, the longest first, once', () => {
  const log = new KeptBackLog();
  log.note(millis(1000), [seen(5, 'memory', [1], 'needs 4 GB')]);
  log.note(millis(4000), [seen(5, 'memory', [2], 'needs 4 GB, later'), seen(6, 'cpus')]);
  log.note(millis(5000), [seen(5, 'lock', [3])]);
  log.note(millis(6000), []);
  // What kept it while it was not among the first is not known.
  log.note(millis(20_000), [seen(5, 'memory', [1, 4])]);
  assert.deepEqual(log.take(runId(5), millis(21_000)), [
    { kind: 'memory', ms: 5000, holders: [1, 2, 4], words: 'needs 4 GB' },
    { kind: 'lock', ms: 1000, holders: [3], words: 'lock' },
  ]);
  assert.deepEqual(log.take(runId(5), millis(22_000)), []);
  assert.deepEqual(log.take(runId(6), millis(22_000)), [{ kind: 'cpus', ms: 1000, holders: [], words: 'cpus' }]);
});

test('a moment is not told, and runs that never start are forgotten', () => {
  const log = new KeptBackLog();
  log.note(millis(0), [seen(1, 'cpus')]);
  assert.deepEqual(log.take(runId(1), millis(400)), []);
  for (let run = 1; run <= 1000; run += 1) log.note(millis(run * 1000), [seen(run, 'cpus')]);
  const told = Array.from({ length: 1000 }, (_, index) => log.take(runId(index + 1), millis(2_000_000)).length);
  assert.ok(told.reduce((sum, one) => sum + one, 0) <= 202);
  assert.equal(told.at(-1), 1);
});

test('of many holders the first and the last are told, and how many there were in between', () => {
  const log = new KeptBackLog();
  for (let held = 1; held <= 9; held += 1) log.note(millis(held * 1000), [seen(20, 'cpus', [held, held + 1])]);
  log.note(millis(10_000), [seen(20, 'cpus', [10])]);
  assert.deepEqual(log.take(runId(20), millis(11_000)), [
    { kind: 'cpus', ms: 10_000, holders: [1, 2, 3, 4, 10], words: 'cpus', more: 5 },
  ]);
});
