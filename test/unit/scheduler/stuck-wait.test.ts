import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stuckWait, type InnerWait } from '../../../src/scheduler/stuck-wait.ts';
import type { Scheduler } from '../../../src/scheduler/scheduler.ts';
import type { Waiting } from '../../../src/admission/types.ts';
import { runId, type RunId } from '../../../src/units/brands.ts';

/** As much of a scheduler as looks at waits: run 1 goes on, and others wait for the end of others. */
const aScheduler = (after: ReadonlyMap<RunId, readonly RunId[]>, wait: InnerWait): Scheduler =>
  ({
    live: new Map([[runId(1), { run: 1, uuid: 'a start', ending: false, row: { parent_run: null } }]]),
    queue: { get: (run: RunId) => (after.has(run) ? { run, after: ['…'] } : null) },
    dependents: { of: (run: RunId) => (after.get(run) ?? []).map((one) => ({ run: one, any: false })) },
    innerWaits: new Set([wait]),
  }) as unknown as Scheduler;

const waitFor = (run: number): InnerWait => ({
  inside: { run: 1, start: 'a start' },
  pending: new Set([runId(run)]),
  any: false,
});

/** Rows of runs, each of which comes after all of the row before; the first row after `first`. */
const rows = (count: number, wide: number, first: readonly RunId[]): Map<RunId, readonly RunId[]> => {
  const after = new Map<RunId, readonly RunId[]>();
  let before = first;
  for (let row = 1; row <= count; row += 1) {
    const runs = Array.from({ length: wide }, (_, at) => runId(row * 10 + at));
    for (const run of runs) after.set(run, before);
    before = runs;
  }
  return after;
};

test('a run that comes after many others in many ways is looked at once for each of those', () => {
  for (const [first, told] of [
    [[], null],
    [[runId(1)], 'it comes after run 1, and this wait is a part of that'],
  ] as const) {
    const wait = waitFor(400);
    const scheduler = aScheduler(rows(40, 5, first), wait);
    const asked = new Map<RunId, number>();
    const { get } = scheduler.queue as { get: (this: void, run: RunId) => Waiting | null };
    scheduler.queue.get = (run) => {
      asked.set(run, (asked.get(run) ?? 0) + 1);
      assert.ok((asked.get(run) ?? 0) < 10, `run ${run} is looked at again and again`);
      return get(run);
    };
    assert.equal(stuckWait(scheduler, wait)?.why ?? null, told);
  }
});

test('a row of dependencies of any length is gone through to its end', () => {
  const after = new Map<RunId, readonly RunId[]>();
  for (let run = 2; run <= 100_000; run += 1) after.set(runId(run), [runId(run - 1)]);
  const wait = waitFor(100_000);
  assert.equal(stuckWait(aScheduler(after, wait), wait)?.run, 100_000);
});
