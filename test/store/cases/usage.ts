import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordUsage, type UsageReport } from '../../../src/scheduler/record-usage.ts';
import { attemptsOf, beginAttempt, endAttempt } from '../../../src/store/attempts.ts';
import { claimStart } from '../../../src/store/claim-start.ts';
import { endStart } from '../../../src/store/end-start.ts';
import { keepPeak } from '../../../src/store/keep-peak.ts';
import { getRunWithStarts } from '../../../src/store/get-run.ts';
import { requeueRun } from '../../../src/store/requeue-run.ts';
import { startRunning } from '../../../src/store/start-running.ts';
import type { Store } from '../../../src/store/store.ts';
import { marksJson, marksOf } from '../../../src/usage/marks-json.ts';
import { Meter } from '../../../src/usage/meter.ts';
import { bytes, millis, type RunId } from '../../../src/units/brands.ts';
import type { Backend } from '../backend.ts';
import { aClaim, endOfStart, requeued, running, runningRun } from '../samples.ts';

/** Start 1 of a run began 10 s before this; its first step took 5 s, the second goes on. */
const now = millis(100_000);

const withTwoSteps = async (store: Store): Promise<RunId> => {
  const run = await runningRun(store, { retries: 1 });
  const first = { run, start: 1, step: 'load', n: 1 };
  await store.command(async (tx) => {
    await beginAttempt(tx, first, millis(90_000));
    await endAttempt(tx, first, { state: 'succeeded', error: null, ended_at: millis(95_000) });
    await beginAttempt(tx, { run, start: 1, step: 'sum', n: 1 }, millis(95_000));
  });
  return run;
};

/** What a worker measured in those 10 s, by a clock of its own that says `clock` at the end. */
const measured = (clock: number): Meter => {
  const meter = new Meter(clock - 10);
  for (const [before, rss, cpu] of [
    [8, 100, 2],
    [6, 300, 8],
    [4, 200, 10],
    [2, 500, 18],
  ] as const) {
    meter.sample(rss, cpu, clock - before);
  }
  meter.end(9999, 20, clock);
  return meter;
};

/** As it crosses the wire. */
const report = (run: RunId, change: Partial<UsageReport> = {}, clock = 12.5): UsageReport => ({
  run,
  start: 1,
  uuid: `uuid-${run}-1`,
  marks: marksOf(JSON.parse(marksJson(measured(clock).aged(clock)))),
  maxRss: 9999,
  ...change,
});

const usages = async (store: Store, run: RunId) =>
  (await attemptsOf(store.read, run)).map((attempt) => [
    attempt.step,
    attempt.peak_rss_bytes,
    attempt.cpu_seconds,
    attempt.peak_cpus,
  ]);
const shared = [
  ['load', 300, 9, 3],
  ['sum', 500, 11, 4],
];
const nothing = [
  ['load', null, null, null],
  ['sum', null, null, null],
];

export const usageCases = (backend: Backend): void => {
  test('a report is shared out among the attempts that the process of its start made', async () => {
    const store = await backend.open();
    const run = await withTwoSteps(store);
    assert.equal(await store.command(async (tx) => recordUsage(tx, report(run), now)), 2);
    assert.deepEqual(await usages(store, run), shared);
  });

  test('ages cross the wire, not clocks: what the reporter’s clock says changes nothing', async () => {
    const store = await backend.open();
    for (const clock of [12.5, 3e9]) {
      const run = await withTwoSteps(store);
      await store.command(async (tx) => recordUsage(tx, report(run, {}, clock), now));
      assert.deepEqual(await usages(store, run), shared, String(clock));
    }
  });

  test('a report for a start that is no longer the reporter’s own changes nothing', async () => {
    const store = await backend.open();
    const run = await withTwoSteps(store);
    const late = async (change: Partial<UsageReport> = {}) =>
      store.command(async (tx) => recordUsage(tx, report(run, change), now));
    assert.equal(await late({ uuid: 'another' }), 0);
    assert.equal(await late({ start: 2 }), 0);
    await store.command(async (tx) => {
      await endStart(tx, endOfStart(run, 1, { verdict: 'lost', evidence: 'heartbeat' }));
      await requeueRun(tx, requeued(run, 1));
    });
    assert.equal(await late(), 0);
    await store.command(async (tx) => {
      await claimStart(tx, aClaim(run, 2));
      await startRunning(tx, running(run, 2));
    });
    assert.equal(await late(), 0);
    assert.deepEqual(await usages(store, run), nothing);
  });

  test('a report that is sent again later changes nothing, though its ages have become wrong', async () => {
    const store = await backend.open();
    const run = await withTwoSteps(store);
    await store.command(async (tx) => recordUsage(tx, report(run), now));
    assert.equal(await store.command(async (tx) => recordUsage(tx, report(run), millis(now + 4000))), 0);
    assert.deepEqual(await usages(store, run), shared);
  });

  test('another start’s attempts get nothing of it', async () => {
    const store = await backend.open();
    const run = await withTwoSteps(store);
    await store.command(async (tx) => {
      await endStart(tx, endOfStart(run, 1, { verdict: 'failed' }));
      await requeueRun(tx, requeued(run, 1));
      await claimStart(tx, aClaim(run, 2));
      await startRunning(tx, running(run, 2));
      await beginAttempt(tx, { run, start: 2, step: 'load', n: 1 }, millis(90_000));
    });
    const own = { start: 2, uuid: `uuid-${run}-2` };
    assert.equal(await store.command(async (tx) => recordUsage(tx, report(run, own), now)), 1);
    assert.deepEqual(await usages(store, run), [...nothing, ['load', 9999, 20, 4]]);
  });

  test('the peak of a start that goes on is kept, and of one that is over never changed', async () => {
    const store = await backend.open();
    const run = await runningRun(store);
    const keep = async (peak: number, start = 1) =>
      store.command(async (tx) => keepPeak(tx, { run, start, peak_rss_bytes: bytes(peak), peak_cpus: 1.5 }));
    const kept = async () => (await getRunWithStarts(store.read, run))?.starts.map((start) => start.peak_rss_bytes);
    await keep(300);
    await keep(900, 2);
    assert.deepEqual(await kept(), [300]);
    await store.command(async (tx) => endStart(tx, endOfStart(run, 1, { peak_rss_bytes: bytes(700) })));
    await keep(800);
    assert.deepEqual(await kept(), [700]);
  });
};
