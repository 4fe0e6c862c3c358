import type { Paused } from '../runs/paused.ts';
import { isFinal } from '../runs/transitions.ts';
import { addEvent, addEvents } from '../store/events.ts';
import { readPaused, setPaused, setRunsPaused } from '../store/pause.ts';
import { briefStates } from '../store/brief-runs.ts';
import { getRun } from '../store/get-run.ts';
import type { Tx } from '../store/schema.ts';
import { millis, type Millis, type RunId } from '../units/brands.ts';
import type { PausedAnswer } from '../wire/api.ts';
import type { Scheduler } from './scheduler.ts';
import { sharesOf } from './shares.ts';

/** Whose doing it is, and why; null lets go. */
export interface PauseOrder {
  readonly by: string;
  readonly reason: string | null;
  readonly hold: boolean;
}

/** Holds the whole queue back, or lets it go: on disk when this resolves, also for later daemons. The first pause stays as it was. */
export const pauseQueue = async (scheduler: Scheduler, order: PauseOrder): Promise<void> => {
  const at = scheduler.host.now();
  scheduler.paused = await scheduler.store.command(
    async (tx) => {
      const before = await readPaused(tx);
      if (order.hold === (before !== null)) return before;
      const paused = pausedBy(order, at);
      await setPaused(tx, paused);
      await addEvent(tx, { run: null, at, ...eventOf(order) });
      return paused;
    },
    { durable: true },
  );
  scheduler.eventsWritten.raise();
  scheduler.moved.raise();
};

/** Holds runs that wait back, or lets them go. What runs already goes on, and so does what works inside another run. */
export const pauseRuns = async (
  scheduler: Scheduler,
  runs: readonly RunId[],
  order: PauseOrder,
): Promise<PausedAnswer[]> => {
  const answers: PausedAnswer[] = [];
  for (const share of sharesOf(runs)) {
    const at = scheduler.host.now();
    const paused = pausedBy(order, at);
    const stored = await scheduler.store.command((tx) => storePauses(tx, share, order, paused, at), { durable: true });
    for (const { run, result } of stored) {
      if (result !== 'paused' && result !== 'resumed') continue;
      const entry = scheduler.queue.get(run as RunId);
      if (entry === null) followLater(scheduler, run as RunId);
      else scheduler.queue.add({ ...entry, paused });
      scheduler.changes.tell(run as RunId, false);
    }
    answers.push(...stored);
    scheduler.eventsWritten.raise();
    scheduler.moved.raise();
  }
  return answers;
};

const again = millis(1000);

/** It was taken out of the queue for a moment, for a claim or for a kill that may leave it, and may come back as it was before. */
const followLater = (scheduler: Scheduler, run: RunId): void => {
  const { host, store, queue, log, moved } = scheduler;
  host.timers.set(again, () => {
    getRun(store.read, run)
      .then((row) => {
        const entry = queue.get(run);
        if (entry === null || row === null || (entry.paused === null) === (row.paused === null)) return;
        queue.add({ ...entry, paused: row.paused });
        moved.raise();
      })
      .catch((error: unknown) => {
        log.error({ err: error, run }, 'whether a run is held back could not be looked up');
        if (!scheduler.closing) followLater(scheduler, run);
      });
  });
};

const pausedBy = ({ by, reason, hold }: PauseOrder, at: Millis): Paused | null => (hold ? { by, reason, at } : null);

const eventOf = ({ by, reason, hold }: PauseOrder): { kind: string; data: Record<string, unknown> } =>
  hold ? { kind: 'paused', data: { by, reason } } : { kind: 'resumed', data: { by } };

const storePauses = async (
  tx: Tx,
  runs: readonly RunId[],
  order: PauseOrder,
  paused: Paused | null,
  at: Millis,
): Promise<PausedAnswer[]> => {
  const known = await briefStates(tx, runs);
  const own = runs.filter((run) => known.get(run)?.parent_run === null);
  const changed = new Set(await setRunsPaused(tx, own, paused));
  if (changed.size > 0) {
    await addEvents(
      tx,
      [...changed].map((run) => ({ run, at, ...eventOf(order) })),
    );
  }
  return runs.map((run): PausedAnswer => {
    const row = known.get(run);
    if (row === undefined) return { run, result: 'unknown', state: null };
    const { state } = row;
    if (changed.has(run)) return { run, result: order.hold ? 'paused' : 'resumed', state };
    if (isFinal(state)) return { run, result: 'final', state };
    if (state !== 'queued') return { run, result: 'active', state };
    return { run, result: row.parent_run === null ? 'unchanged' : 'inside', state };
  });
};
