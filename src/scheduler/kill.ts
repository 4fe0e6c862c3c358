import { OrcaError } from '../errors/orca-error.ts';
import { askKill } from '../store/ask-kill.ts';
import { addEvent } from '../store/events.ts';
import { getRun } from '../store/get-run.ts';
import type { Run } from '../store/run.ts';
import type { Tx } from '../store/schema.ts';
import type { Millis, RunId } from '../units/brands.ts';
import type { KillAnswer } from '../wire/api.ts';
import { dropRunFiles } from './drop-run-files.ts';
import { finishKilled } from './finish-killed.ts';
import { deliverAsk } from './deliver-ask.ts';
import type { Scheduler } from './scheduler.ts';

export interface KillOrder {
  /** Whose doing it is, for the verdict's text. */
  readonly by: string;
  /** Skip the grace. */
  readonly now: boolean;
}

/**
 * Ends a run in whatever state it is, for good. Recorded on disk before any signal is sent, unless that is full. A run that waits is over
 * at once; of one that runs, the end comes with its keeper's report.
 */
export const kill = async (scheduler: Scheduler, run: RunId, order: KillOrder): Promise<KillAnswer> => {
  const at = scheduler.host.now();
  const { answer, ended } = await scheduler.store
    .command((tx) => storeKill(tx, run, order, at), { durable: true })
    .catch((error: unknown) => withoutRecord(scheduler, run, error));
  scheduler.eventsWritten.raise();
  if (ended !== null) {
    scheduler.queue.remove(run);
    dropRunFiles(scheduler, ended);
    scheduler.changes.tell(run, true);
    scheduler.moved.raise();
  }
  const live = scheduler.live.get(run);
  if (answer.result === 'killing' && live !== undefined) {
    live.ask = { mark: 'user', text: order.by, now: order.now };
    const fetching = scheduler.fetching.get(run);
    // No keeper has it before its secrets are there.
    if (fetching === undefined) await deliverAsk(scheduler, live);
    else fetching.abort();
  }
  return answer;
};

/** What fills the disk must still be ended: the keeper's mark in the exit record is proof of the kill, and nothing follows a start so marked. */
const withoutRecord = ({ live }: Scheduler, run: RunId, error: unknown): Stored => {
  const start = live.get(run);
  // Of one that is over already no keeper marks it.
  if (start === undefined || start.unstoredEnd || !(error instanceof OrcaError) || error.code !== 'store-full')
    throw error;
  return { answer: { run, result: 'killing', state: start.startedAt === null ? 'starting' : 'running' }, ended: null };
};

interface Stored {
  readonly answer: KillAnswer;
  /** The run, when it was over with this. */
  readonly ended: Run | null;
}

const storeKill = async (tx: Tx, run: RunId, order: KillOrder, at: Millis): Promise<Stored> => {
  const { recorded, state } = await askKill(tx, { run, at, ...order });
  if (state === null) return { answer: { run, result: 'unknown', state }, ended: null };
  if (!recorded) return { answer: { run, result: 'final', state }, ended: null };
  await addEvent(tx, { run, at, kind: 'kill-asked', data: { ...order } });
  if (state !== 'queued') return { answer: { run, result: 'killing', state }, ended: null };
  const row = await getRun(tx, run);
  if (row !== null) await finishKilled(tx, row, { at, by: order.by });
  return { answer: { run, result: 'killed', state: 'killed' }, ended: row };
};
