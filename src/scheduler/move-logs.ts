import { runFolders } from '../logs/run-folders.ts';
import { getMeta, setMeta } from '../store/meta.ts';
import { runsElsewhere, runsToMove } from '../store/moved-logs.ts';
import { millis, runId, type Millis, type RunId } from '../units/brands.ts';
import { errorWords } from './error-words.ts';
import type { Hold, MoveOutcome } from './move-holds.ts';
import { moveRun } from './move-run.ts';
import type { Scheduler } from './scheduler.ts';

/** Each reads a part of a file at a time. */
const atOnce = 4;
const share = 500;

/** Whoever called a command is given what it wrote when it ends: from the file, so that no network comes between. */
const restMs = 2000;

const beginAgainMs = millis(30_000);

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
    scheduler.log.error({ err: error }, 'the store did not say which logs are to be moved, and is asked again');
    scheduler.host.timers.set(beginAgainMs, () => {
      if (!scheduler.closing) beginMoving(scheduler);
    });
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
  if (logMoving.storeId === null || scheduler.closing) return;
  const now = scheduler.host.now();
  for (const [run, due] of waiting) {
    if (active.size >= atOnce) return;
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
  const { logMoving } = scheduler;
  await scheduler.logKeeping.going.get(run)?.catch(() => undefined);
  const outcome = await moveRun(scheduler, run, signal).catch((error: unknown) => ({
    sent: new Set<string>(),
    failures: [{ to: null, isAway: false, why: errorWords(error) }],
    away: new Set<string>(),
  }));
  logMoving.active.delete(run);
  if (!signal.aborted) settle(scheduler, run, outcome);
  logMoving.stepped.raise();
  next(scheduler);
};

/** Nothing is lost: what could not be moved is where it was, and goes to the end of the line of what is wrong. */
const settle = (scheduler: Scheduler, run: RunId, outcome: MoveOutcome): void => {
  const { logMoving, log, host, state } = scheduler;
  const { begun, over, again, free } = logMoving.holds.settle(run, outcome, host.now());
  for (const { to, why } of begun)
    log.error({ run, to, why }, `logs could not be moved: they stay in ${state.logs}, and it is tried again`);
  for (const { to } of over) log.info({ to }, 'logs can be moved again');
  for (const other of free) logMoving.waiting.set(other, host.now());
  for (const hold of again) tryAgain(scheduler, hold);
};

const tryAgain = (scheduler: Scheduler, hold: Hold): void => {
  const { logMoving, host } = scheduler;
  host.timers.set(millis(hold.againMs), () => {
    const run = logMoving.holds.take(hold);
    if (run !== null) logMoving.waiting.set(run, host.now());
    next(scheduler);
  });
};

/** Nothing of a run is moved any more: it is about to be deleted. */
export const stopMoving = async (scheduler: Scheduler, run: RunId): Promise<void> => {
  const { logMoving } = scheduler;
  logMoving.waiting.delete(run);
  const found = logMoving.active.get(run);
  found?.stop.abort();
  await found?.done;
  for (const hold of logMoving.holds.forget(run)) tryAgain(scheduler, hold);
};

/** The daemon leaves: the next one goes on. */
export const endMoving = async ({ logMoving }: Scheduler): Promise<void> => {
  const active = [...logMoving.active.values()];
  for (const { stop } of active) stop.abort();
  await Promise.allSettled(active.map(({ done }) => done));
};
