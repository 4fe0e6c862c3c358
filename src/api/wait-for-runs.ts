import { setTimeout } from 'node:timers/promises';
import type { Scheduler } from '../scheduler/scheduler.ts';
import { outputsArriving } from '../scheduler/keep-logs.ts';
import { readRuns } from '../scheduler/read-runs.ts';
import type { RunId } from '../units/brands.ts';
import { isFinal } from '../runs/transitions.ts';
import { OrcaError } from '../errors/orca-error.ts';
import type { WaitEvent, WaitRequest } from '../wire/api.ts';
import { Beats } from './beat.ts';
import { eventLines } from './event-lines.ts';
import { silence } from './silence.ts';

const readAtOnce = 500;
/** With many runs to wait for, what ends within this time is told at once: a line each would cost a wake-up of the reader each. */
const gatherFor = (pending: number): number => (pending > 100 ? 100 : 20);

/**
 * A wait on many runs as one stream of lines. It listens first and reads then, so no end falls between the two; what changed while a
 * reader was slow is told once, as it is by then.
 */
export interface WaitFor {
  readonly runs: readonly RunId[];
  readonly owner: string | null;
  readonly detail: 'full' | 'final';
  readonly inside: WaitRequest['inside'];
}

export const waitForRuns = async (
  scheduler: Scheduler,
  { runs, owner, detail, inside }: WaitFor,
): Promise<ReadableStream<Uint8Array>> => {
  const pending = new Set(runs);
  const changed = new Set<RunId>();
  let wake: (() => void) | null = null;
  const look = (run: RunId): void => {
    changed.add(run);
    wake?.();
  };
  const stop = scheduler.changes.listen([...pending], (run, final) => {
    if (detail === 'full' || final) look(run);
  });
  // What waits or goes on is not over: its end will be heard of. Thousands of them need not be read for that.
  const { queue, live } = scheduler;
  for (const run of pending) if (detail === 'full' || !(queue.has(run) || live.has(run))) changed.add(run);
  const leave = owner === null ? null : scheduler.owners.enter(owner, scheduler.ownerPatience);
  const beats = new Beats(scheduler, inside, pending, false);
  const close = (): void => {
    stop();
    beats.end();
    leave?.();
  };

  const news = async (): Promise<WaitEvent[]> => {
    const batch = [...changed].slice(0, readAtOnce);
    for (const run of batch) changed.delete(run);
    const found = await readRuns(scheduler, batch);
    const events: WaitEvent[] = [];
    for (const [index, run] of found.entries()) {
      const id = batch[index];
      if (id === undefined) continue;
      if (run === null) throw new OrcaError('run-unknown', { run: id });
      const final = isFinal(run.state);
      if (!pending.has(id) || (detail === 'final' && !final)) continue;
      // Who reads its logs next finds them whole.
      const arriving = final ? outputsArriving(scheduler, id) : null;
      if (arriving !== null) {
        void arriving.then(() => look(id));
        continue;
      }
      if (final) pending.delete(id);
      events.push({ type: 'run', run });
    }
    if (pending.size === 0) events.push({ type: 'end' });
    return events;
  };

  // An unknown run is refused with a status, before the stream begins.
  const first: WaitEvent[] = [];
  try {
    while (changed.size > 0) first.push(...(await news()));
  } catch (error) {
    close();
    throw error;
  }

  const next = async (): Promise<WaitEvent[]> => {
    if (first.length > 0) return first.splice(0);
    const stuck = beats.stuckIfDue();
    if (stuck !== null) return [stuck];
    if (changed.size > 0) return news();
    const silent = await silence(scheduler, (heard) => (wake = heard));
    wake = null;
    if (silent) return [beats.next()];
    if (detail === 'final' && pending.size > 1) await setTimeout(gatherFor(pending.size));
    return news();
  };

  return eventLines(next, () => {
    close();
    wake?.();
  });
};
