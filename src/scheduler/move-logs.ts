import { runFolders } from '../logs/run-folders.ts';
import { getRunWithStarts } from '../store/get-run.ts';
import { getMeta, setMeta } from '../store/meta.ts';
import { runsElsewhere, runsToMove } from '../store/moved-logs.ts';
import { millis, runId, type Millis, type RunId } from '../units/brands.ts';
import { errorWords } from './error-words.ts';
import type { LogMoving } from './log-moving.ts';
import { baseOfLogs } from './moved-logs.ts';
import { moveRun } from './move-run.ts';
import type { Scheduler } from './scheduler.ts';

/** Each reads a part of a file at a time. */
const atOnce = 4;
const share = 500;

/** Whoever called a command is given what it wrote when it ends: from the file, so that no network comes between. */
const restMs = 2000;

/** Whatever of a run can be moved to where its logs go by now, in its turn. Costs nothing where logs stay on this machine. */
export const moveLogs = (scheduler: Scheduler, run: RunId): void => {
  const { logMoving, host } = scheduler;
  if (!logMoving.on || scheduler.closing) return;
  if (!logMoving.waiting.has(run)) logMoving.waiting.set(run, millis(host.now() + restMs));
  next(scheduler);
};

/** All that can be is moved now; resolves when it is, or cannot be. */
export const moveAllNow = (scheduler: Scheduler): Promise<void> => {
  const { logMoving, host } = scheduler;
  for (const run of logMoving.waiting.keys()) logMoving.waiting.set(run, host.now());
  next(scheduler);
  return logMoving.settled();
};

/** Begins with what earlier daemons left, and goes on for as long as this one lives. */
export const beginMoving = (scheduler: Scheduler): void => {
  begin(scheduler).catch((error: unknown) => {
    failed(scheduler, null, error);
  });
};

const begin = async (scheduler: Scheduler): Promise<void> => {
  const { logMoving, store, host } = scheduler;
  logMoving.storeId = await getMeta(store.read, 'store-id');
  if (!logMoving.on) return;
  if (logMoving.storeId === null) {
    const id = host.uuid();
    await store.command((tx) => setMeta(tx, 'store-id', id), { durable: true });
    logMoving.storeId = id;
  }
  for (let after: RunId | null = null; ;) {
    const left: RunId[] = await runsToMove(store.read, after, share);
    for (const run of left) logMoving.waiting.set(run, host.now());
    after = left.at(-1) ?? null;
    if (left.length < share) break;
  }
  next(scheduler);
  if (logMoving.to !== null) await findLeftFolders(scheduler);
};

/** Of runs whose logs went elsewhere, but for what was left to delete here when a daemon died. */
const findLeftFolders = async (scheduler: Scheduler): Promise<void> => {
  let runs: RunId[] = [];
  const look = async (): Promise<void> => {
    for (const run of await runsElsewhere(scheduler.store.read, runs)) moveLogs(scheduler, run);
    runs = [];
  };
  for await (const { run } of runFolders(scheduler.state.logs)) {
    if (runs.push(runId(run)) === share) await look();
  }
  await look();
};

const next = (scheduler: Scheduler): void => {
  const { logMoving } = scheduler;
  const { waiting, active } = logMoving;
  if (logMoving.storeId === null || scheduler.closing || logMoving.cancelAgain !== null) return;
  // One tells whether it works again.
  const most = logMoving.trouble === null ? atOnce : 1;
  const now = scheduler.host.now();
  for (const [run, due] of waiting) {
    if (active.size >= most) return;
    // A clock that was set back makes none wait for longer.
    if (due > now && due - now <= restMs) return expect(scheduler, millis(due - now));
    if (active.has(run)) continue;
    waiting.delete(run);
    const stop = new AbortController();
    active.set(run, { stop, done: moveOne(scheduler, run, stop.signal) });
  }
};

const expect = (scheduler: Scheduler, ms: Millis): void => {
  const { logMoving, host } = scheduler;
  if (logMoving.isExpecting) return;
  logMoving.isExpecting = true;
  host.timers.set(ms, () => {
    logMoving.isExpecting = false;
    next(scheduler);
  });
};

const moveOne = async (scheduler: Scheduler, run: RunId, signal: AbortSignal): Promise<void> => {
  const { logMoving, log } = scheduler;
  try {
    await scheduler.logKeeping.going.get(run);
    const isSent = await moveRun(scheduler, run, signal);
    if (isSent && logMoving.trouble !== null) log.info('logs can be moved again');
    if (isSent) logMoving.succeeded();
  } catch (error) {
    const to = await goalOf(scheduler, run).catch(() => null);
    if (!signal.aborted) failed(scheduler, run, error, to);
  } finally {
    logMoving.active.delete(run);
    if (isIdle(logMoving)) logMoving.trouble = null;
    logMoving.stepped.raise();
    next(scheduler);
  }
};

/** Where those of a run's logs go that are still here; null: none of them goes anywhere. */
const goalOf = async ({ store }: Scheduler, run: RunId): Promise<string | null> => {
  const starts = (await getRunWithStarts(store.read, run))?.starts ?? [];
  const to = starts.find((start) => start.logs_to !== null && start.moved_logs === null)?.logs_to ?? null;
  return to === null ? null : baseOfLogs(to, run);
};

const isIdle = ({ waiting, active }: LogMoving): boolean => waiting.size + active.size === 0;

/** Nothing is lost: what could not be moved is where it was, and goes to the end of the line. */
const failed = (scheduler: Scheduler, run: RunId | null, error: unknown, to: string | null = null): void => {
  const { logMoving, log, host } = scheduler;
  const why = errorWords(error);
  if (scheduler.closing) return;
  if (run !== null) {
    logMoving.waiting.delete(run);
    logMoving.waiting.set(run, host.now());
  }
  if (logMoving.trouble?.why !== why) {
    const what = `logs could not be moved: they stay in ${scheduler.state.logs}, and it is tried again`;
    log.error({ run, to, why }, what);
  }
  logMoving.trouble = { why, since: logMoving.trouble?.since ?? host.now(), ...(to !== null && { to }) };
  logMoving.cancelAgain ??= host.timers.set(millis(logMoving.takeAgainMs()), () => {
    logMoving.cancelAgain = null;
    if (isIdle(logMoving)) logMoving.trouble = null;
    if (logMoving.storeId === null) beginMoving(scheduler);
    else next(scheduler);
  });
};

/** Nothing of a run is moved any more: it is about to be deleted. */
export const stopMoving = async ({ logMoving }: Scheduler, run: RunId): Promise<void> => {
  logMoving.waiting.delete(run);
  const found = logMoving.active.get(run);
  found?.stop.abort();
  await found?.done;
};

/** The daemon leaves: the next one goes on. */
export const endMoving = async ({ logMoving }: Scheduler): Promise<void> => {
  logMoving.cancelAgain?.();
  const active = [...logMoving.active.values()];
  for (const { stop } of active) stop.abort();
  await Promise.allSettled(active.map(({ done }) => done));
};
