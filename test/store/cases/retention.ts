import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { noNeeds } from '../../../src/runs/needs.ts';
import { noExtras } from '../../../src/runs/extras.ts';
import { gc, type GcRule } from '../../../src/scheduler/gc.ts';
import { LogKeeping } from '../../../src/scheduler/keep-logs.ts';
import { LogMoving } from '../../../src/scheduler/log-moving.ts';
import type { Scheduler } from '../../../src/scheduler/scheduler.ts';
import { shrinkLogs } from '../../../src/scheduler/shrink-logs.ts';
import { stateFolder } from '../../../src/scheduler/state-folder.ts';
import { settingsOf } from '../../../src/settings/load-settings.ts';
import { addEndedAttempt } from '../../../src/store/attempts.ts';
import { endStart } from '../../../src/store/end-start.ts';
import { addEvent, eventsSince } from '../../../src/store/events.ts';
import { deleteRuns } from '../../../src/store/delete-runs.ts';
import { finishRun } from '../../../src/store/finish-run.ts';
import { runsAfter } from '../../../src/store/aged-runs.ts';
import type { NewRun } from '../../../src/store/insert-runs.ts';
import type { Store } from '../../../src/store/store.ts';
import { bytes, millis, type RunId } from '../../../src/units/brands.ts';
import type { Backend } from '../backend.ts';
import { endOfRun, endOfStart, runningRun, submit } from '../samples.ts';

const hour = 3_600_000;
const now = 100 * hour;

/** As much of a scheduler as deletes, with a folder of logs of its own. */
const aScheduler = (t: TestContext, store: Store) => {
  const folder = mkdtempSync(join(tmpdir(), 'orca-retention-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const state = stateFolder(folder, join(folder, 'logs'));
  const logs = (run: RunId): string => join(state.logs, '_command', String(run));
  const warned: object[] = [];
  const scheduler = {
    store,
    state,
    closing: false,
    logMoving: new LogMoving(null),
    logKeeping: new LogKeeping(),
    settings: settingsOf({ HOME: folder, ORCA_HOME: folder, ORCA_LOG_STAGE: join(folder, 'stage') }),
    host: { now: () => millis(now) },
    log: { warn: (what: object) => warned.push(what) },
  } as unknown as Scheduler;
  const write = async (run: RunId, size: number): Promise<void> => {
    const file = join(logs(run), '1.stdout');
    mkdirSync(logs(run), { recursive: true });
    writeFileSync(file, 'x'.repeat(size));
    await store.command((tx) => tx.updateTable('starts').set({ stdout_path: file }).where('run', '=', run).execute());
  };
  return { scheduler, logs, write, warned };
};

/** A run that ended so many hours ago, with a start and an attempt. */
const ended = async (store: Store, ago: number, change: Partial<NewRun> = {}): Promise<RunId> => {
  const at = millis(now - ago * hour);
  const run = await runningRun(store, { submitted_at: at, ...change });
  const ids = { run, start: 1, step: 'main', n: 1 };
  const end = { state: 'succeeded' as const, error: null, ended_at: at };
  await store.command(async (tx) => endStart(tx, endOfStart(run, 1, { ended_at: at })));
  await store.command(async (tx) => addEndedAttempt(tx, ids, at, { ...end, ...noUsage }));
  await store.command(async (tx) => finishRun(tx, endOfRun(run, 1, { ended_at: at })));
  return run;
};
/** One that was killed long ago, before it began. */
const over = async (store: Store): Promise<RunId> => {
  const run = await submit(store, { submitted_at: millis(1) });
  await store.command(async (tx) => finishRun(tx, endOfRun(run, null, { state: 'killed', ended_at: millis(2) })));
  return run;
};

const noUsage = {
  peak_rss_bytes: null,
  cpu_seconds: null,
  peak_cpus: null,
  memory_stall_ms: null,
  memory_stall_full_ms: null,
};

const rule = (change: Partial<GcRule>): GcRule => ({ before: null, keep: null, dryRun: false, ...change });
const olderThan = (hours: number): GcRule => rule({ before: millis(now - hours * hour) });
const left = async (store: Store): Promise<number[]> => (await runsAfter(store.read, 0, 1000)).map(({ id }) => id);

export const retentionCases = (backend: Backend): void => {
  test('runs that ended long ago go with their starts, attempts, tags and files; younger and unfinished ones stay', async (t) => {
    const store = await backend.open();
    const { scheduler, logs, write } = aScheduler(t, store);
    const old = await ended(store, 50, { extras: { ...noExtras, tags: ['a'] } });
    const young = await ended(store, 10);
    const queued = await submit(store, { submitted_at: millis(1) });
    const going = await runningRun(store, { submitted_at: millis(1) });
    await store.command(async (tx) => addEvent(tx, { run: old, at: millis(1), kind: 'k', data: {} }));
    for (const run of [old, young]) await write(run, 1000);
    assert.deepEqual(await gc(scheduler, { ...olderThan(20), dryRun: true }), {
      runs: 1,
      logs: 0,
      bytes: 1000,
      kept: 0,
      failed: 0,
    });
    assert.ok(existsSync(logs(old)));
    assert.deepEqual(await gc(scheduler, olderThan(20)), { runs: 1, logs: 0, bytes: 1000, kept: 0, failed: 0 });
    assert.deepEqual(await left(store), [young, queued, going]);
    assert.deepEqual([existsSync(logs(old)), existsSync(logs(young))], [false, true]);
    for (const table of ['starts', 'attempts', 'tags'] as const)
      assert.deepEqual(await store.read.selectFrom(table).select('run').where('run', '=', old).execute(), []);
    assert.equal((await eventsSince(store.read, 0, 9)).length, 1, 'events have their own time');
    const next = await submit(store);
    assert.ok(next > going, 'no number comes again');
  });

  test('a run that is not over is deleted by nobody', async () => {
    const store = await backend.open();
    const [queued, going, gone] = [await submit(store), await runningRun(store), await over(store)];
    assert.deepEqual(await store.command((tx) => deleteRuns(tx, [queued, going, gone])), [gone]);
    assert.deepEqual(await store.command((tx) => deleteRuns(tx, [queued, going, gone])), []);
    assert.deepEqual(await left(store), [queued, going]);
  });

  test('all but the newest so many go, and with an age both must say so', async (t) => {
    const store = await backend.open();
    const { scheduler } = aScheduler(t, store);
    const runs = [];
    for (const ago of [50, 40, 30, 20]) runs.push(await ended(store, ago));
    await gc(scheduler, rule({ keep: 4 }));
    await gc(scheduler, rule({ keep: 2, before: millis(now - 45 * hour) }));
    assert.deepEqual(await left(store), runs.slice(1));
    await gc(scheduler, rule({ keep: 2 }));
    assert.deepEqual(await left(store), runs.slice(2));
    await gc(scheduler, rule({ keep: 0 }));
    assert.deepEqual(await left(store), []);
    await gc(scheduler, rule({}));
  });

  test('more runs than one share are deleted in one go', async (t) => {
    const store = await backend.open();
    const { scheduler } = aScheduler(t, store);
    for (let at = 0; at < 230; at += 1) await over(store);
    const young = await ended(store, 1);
    assert.equal((await gc(scheduler, olderThan(20))).runs, 230);
    assert.deepEqual(await left(store), [young]);
  });

  test('what unfinished runs come after, their groups, and successes that hold a key stay', async (t) => {
    const store = await backend.open();
    const { scheduler, logs, write } = aScheduler(t, store);
    const [before, member, free, held] = [
      await ended(store, 50),
      await ended(store, 50, { group_id: 77 }),
      await ended(store, 50, { group_id: 78 }),
      await ended(store, 20, { key: 'nightly' }),
    ];
    const long = await ended(store, 50, { key: 'weekly', extras: { ...noExtras, key_window_ms: 60 * hour } });
    for (const run of [before, member, free, held]) await write(run, 10);
    const after = { needs: { ...noNeeds, after: [{ run: before, any: false }] }, group_id: 77 };
    const waiting = await submit(store, { submitted_at: millis(1), ...after });
    assert.deepEqual(await gc(scheduler, olderThan(10)), { runs: 1, logs: 0, bytes: 10, kept: 4, failed: 0 });
    assert.deepEqual(await left(store), [before, member, held, long, waiting]);
    assert.deepEqual(
      [before, member, free, held].map((run) => existsSync(logs(run))),
      [true, true, false, true],
    );
    await store.command(async (tx) => finishRun(tx, endOfRun(waiting, null, { state: 'killed' })));
    await gc(scheduler, olderThan(10));
    assert.deepEqual(await left(store), [held, long]);
  });

  test('a success whose key a newer run has had is not kept for it, since it would have the key again once that one is deleted', async (t) => {
    const store = await backend.open();
    const { scheduler } = aScheduler(t, store);
    await ended(store, 15, { key: 'nightly' });
    const failed = await submit(store, { key: 'nightly', submitted_at: millis(now - 14 * hour) });
    const end = { state: 'failed' as const, ended_at: millis(now - 12 * hour) };
    await store.command(async (tx) => finishRun(tx, endOfRun(failed, null, end)));
    assert.equal((await gc(scheduler, olderThan(10))).kept, 0);
    assert.deepEqual(await left(store), []);
  });

  test('a submission that comes while files are deleted keeps what it comes after', async (t) => {
    const store = await backend.open();
    const { scheduler } = aScheduler(t, store);
    const run = await ended(store, 50);
    const needs = { ...noNeeds, after: [{ run, any: true }] };
    // Between its two looks at what is needed.
    const between = { ...scheduler, store: { ...store, read: store.read } } as Scheduler;
    const command: Store['command'] = async (write, options) => {
      await submit(store, { needs, submitted_at: millis(1) });
      return store.command(write, options);
    };
    assert.equal((await gc({ ...between, store: { ...between.store, command } }, olderThan(10))).runs, 0);
    assert.ok((await left(store)).includes(run));
  });

  test('a deletion that broke off between files and rows is finished by the next one', async (t) => {
    const store = await backend.open();
    const { scheduler, logs, write } = aScheduler(t, store);
    const run = await ended(store, 50);
    await write(run, 10);
    const command = () => Promise.reject(new Error('the daemon died'));
    await assert.rejects(gc({ ...scheduler, store: { ...store, read: store.read, command } }, olderThan(10)));
    assert.deepEqual([existsSync(logs(run)), await left(store)], [false, [run]]);
    assert.equal((await gc(scheduler, olderThan(10))).runs, 1);
  });

  test('one clock that was set wrong keeps no later run', async (t) => {
    const store = await backend.open();
    const { scheduler } = aScheduler(t, store);
    // The last one of a share.
    for (let at = 0; at < 99; at += 1) await over(store);
    const future = await ended(store, -1000);
    await over(store);
    await gc(scheduler, olderThan(10));
    assert.deepEqual(await left(store), [future]);
  });

  test('over their bound the logs of the oldest runs go, and the runs stay known', async (t) => {
    const store = await backend.open();
    const { scheduler, logs, write } = aScheduler(t, store);
    const runs = [await ended(store, 50), await ended(store, 40), await ended(store, 30), await ended(store, 0.5)];
    const going = await runningRun(store);
    const stranger = (going + 1000) as RunId;
    for (const run of [...runs, going, stranger]) await write(run, 1000);
    const shrink = (most: number, dryRun = false) => shrinkLogs(scheduler, bytes(most), dryRun);
    const there = () => [...runs, going, stranger].map((run) => existsSync(logs(run)));
    assert.deepEqual(await shrink(6000), { runs: 0, logs: 0, bytes: 0, kept: 0, failed: 0 });
    assert.deepEqual(await shrink(3500, true), { runs: 0, logs: 2, bytes: 2000, kept: 0, failed: 0 });
    assert.deepEqual(there(), [true, true, true, true, true, true]);
    assert.deepEqual(await shrink(3500), { runs: 0, logs: 2, bytes: 2000, kept: 0, failed: 0 });
    assert.deepEqual(there(), [false, false, true, true, true, true]);
    // Of one that has just ended somebody may be reading; the others are not known to be over.
    await shrink(1);
    assert.deepEqual(there(), [false, false, false, true, true, true]);
    assert.equal((await left(store)).length, 5);
  });

  test('of a folder for logs that another store has, too, only what is this one’s is counted and removed', async (t) => {
    const store = await backend.open();
    const { scheduler, logs, write } = aScheduler(t, store);
    const run = await ended(store, 50);
    await write(run, 1000);
    const own = `${logs(run)}.2`;
    mkdirSync(own);
    writeFileSync(join(own, '1.stdout'), 'own');
    const path = { stdout_path: join(own, '1.stdout') };
    await store.command((tx) => tx.updateTable('starts').set(path).where('run', '=', run).execute());
    assert.equal((await shrinkLogs(scheduler, bytes(3), false)).logs, 0);
    assert.deepEqual(await gc(scheduler, { ...olderThan(10), dryRun: true }), {
      ...{ runs: 1, logs: 0, bytes: 3, kept: 0, failed: 0 },
    });
    assert.equal((await shrinkLogs(scheduler, bytes(2), false)).bytes, 3);
    assert.deepEqual([existsSync(own), existsSync(logs(run))], [false, true]);
    await gc(scheduler, olderThan(10));
    assert.deepEqual(await left(store), []);
    assert.ok(existsSync(logs(run)));
  });

  test('of many logs those of the lowest numbers go first', async (t) => {
    const store = await backend.open();
    const { scheduler, logs, write } = aScheduler(t, store);
    const runs: RunId[] = [];
    for (let at = 0; at < 120; at += 1) runs.push(await ended(store, 50));
    for (const run of runs) await write(run, 10);
    assert.equal((await shrinkLogs(scheduler, bytes(1180), false)).logs, 2);
    assert.deepEqual(
      runs.filter((run) => !existsSync(logs(run))),
      runs.slice(0, 2),
    );
  });
};
