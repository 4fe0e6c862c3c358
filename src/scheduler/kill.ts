import { OrcaError } from '../errors/orca-error.ts';
import { isFinal } from '../runs/transitions.ts';
import { askKills } from '../store/ask-kill.ts';
import { addEvents } from '../store/events.ts';
import { getRuns } from '../store/get-run.ts';
import type { Run } from '../store/run.ts';
import type { Tx } from '../store/schema.ts';
import type { Millis, RunId } from '../units/brands.ts';
import type { KillAnswer } from '../wire/api.ts';
import { deliverAsk } from './deliver-ask.ts';
import { dropRunFiles } from './drop-run-files.ts';
import { finishKilled } from './finish-killed.ts';
import type { LiveStart } from './live-start.ts';
import { moveLogs } from './move-logs.ts';
import type { Scheduler } from './scheduler.ts';
import { sharesOf } from './shares.ts';
import { takeFromQueue, type Taken } from './take-from-queue.ts';

export interface KillOrder {
  /** Whose doing it is, for the verdict's text. */
  readonly by: string;
  /** Skip the grace. */
  readonly now: boolean;
  /** The client that asks as the run's owner: it ends what nobody else asked for. Left out, and null: whoever asks may. */
  readonly owner?: string | null;
}

/**
 * Ends runs in whatever state they are, for good. Recorded on disk before any signal is sent, unless that is full. A run that waits is over
 * at once; of one that runs, the end comes with its keeper's report. Of thousands none is started while the others are ended.
 */
export const kill = async (scheduler: Scheduler, runs: readonly RunId[], order: KillOrder): Promise<KillAnswer[]> => {
  const taken = takeFromQueue(scheduler, runs);
  try {
    const answers: KillAnswer[] = [];
    for (const share of sharesOf(runs)) answers.push(...(await killShare(scheduler, share, order, taken)));
    return answers;
  } finally {
    taken.putBack();
  }
};

const killShare = async (
  scheduler: Scheduler,
  share: readonly RunId[],
  order: KillOrder,
  taken: Taken,
): Promise<KillAnswer[]> => {
  const at = scheduler.host.now();
  let stored: Stored;
  try {
    stored = await scheduler.store.command((tx) => storeKills(tx, share, order, at), { durable: true });
  } catch (error) {
    return withoutRecord(scheduler, share, order, error);
  }
  scheduler.eventsWritten.raise();
  for (const [index, run] of share.entries()) if (stored.answers[index]?.result !== 'goes-on') taken.keep(run);
  for (const run of stored.ended) {
    scheduler.queue.remove(run.id);
    dropRunFiles(scheduler, run);
    if (run.starts_count > 0) moveLogs(scheduler, run.id);
    scheduler.changes.tell(run.id, true);
  }
  if (stored.ended.length > 0) scheduler.moved.raise();
  await askStarts(scheduler, stored.answers, order);
  return stored.answers;
};

/** Passes the kills on to the starts that are going on. */
const askStarts = async (scheduler: Scheduler, answers: readonly KillAnswer[], order: KillOrder): Promise<void> => {
  const asked: Promise<void>[] = [];
  for (const { run, result } of answers) {
    const live = scheduler.live.get(run as RunId);
    if (result !== 'killing' || live === undefined) continue;
    live.ask = { mark: 'user', text: order.by, now: order.now };
    const fetching = scheduler.fetching.get(live.run);
    // No keeper has it before its secrets are there.
    if (fetching === undefined) asked.push(deliverAsk(scheduler, live));
    else fetching.abort();
  }
  await Promise.all(asked);
};

/** What fills the disk must still be ended: the keeper's mark in the exit record is proof of the kill, and nothing follows a start so marked. */
const withoutRecord = async (
  scheduler: Scheduler,
  share: readonly RunId[],
  order: KillOrder,
  error: unknown,
): Promise<KillAnswer[]> => {
  if (!(error instanceof OrcaError) || error.code !== 'store-full') throw error;
  const answers = share.flatMap((run): KillAnswer[] => {
    const start = scheduler.live.get(run);
    return start === undefined || start.unstoredEnd ? [] : [{ run, result: 'killing', state: stateOf(start) }];
  });
  await askStarts(scheduler, answers, order);
  // Of one that is over already no keeper marks it, and one that waits is ended in the store alone.
  if (answers.length < share.length) throw error;
  return answers;
};

const stateOf = ({ startedAt }: LiveStart): 'starting' | 'running' => (startedAt === null ? 'starting' : 'running');

interface Stored {
  readonly answers: KillAnswer[];
  /** The runs that were over with this. */
  readonly ended: readonly Run[];
}

const storeKills = async (tx: Tx, runs: readonly RunId[], order: KillOrder, at: Millis): Promise<Stored> => {
  const { recorded, rest } = await askKills(tx, runs, { at, ...order });
  const data = { by: order.by, now: order.now };
  const told = [...recorded.keys()].map((run) => ({ run, at, kind: 'kill-asked', data }));
  if (told.length > 0) await addEvents(tx, told);
  const queued = [...recorded].filter(([, state]) => state === 'queued').map(([run]) => run);
  const ended = await getRuns(tx, queued);
  if (ended.length > 0) await finishKilled(tx, ended, { at, by: order.by });
  const answers = runs.map((run): KillAnswer => {
    const before = recorded.get(run);
    if (before === 'queued') return { run, result: 'killed', state: 'killed' };
    if (before !== undefined) return { run, result: 'killing', state: before };
    const final = rest.get(run);
    if (final === undefined) return { run, result: 'unknown', state: null };
    return { run, result: isFinal(final) ? 'final' : 'goes-on', state: final };
  });
  return { answers, ended };
};
