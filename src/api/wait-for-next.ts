import { OrcaError } from '../errors/orca-error.ts';
import { isFinal } from '../runs/transitions.ts';
import { outputsArriving } from '../scheduler/keep-logs.ts';
import { readRuns } from '../scheduler/read-runs.ts';
import type { Scheduler } from '../scheduler/scheduler.ts';
import { byEnd, endedRuns, type EndedRun } from '../store/ended-runs.ts';
import { briefStates } from '../store/brief-runs.ts';
import { lastEventId } from '../store/events.ts';
import type { RunId } from '../units/brands.ts';
import type { WaitEvent, WaitRequest } from '../wire/api.ts';
import { Beats } from './beat.ts';
import { eventLines } from './event-lines.ts';
import { silence } from './silence.ts';

const readAtOnce = 500;

/**
 * A wait for the first of many runs that ends, as a stream of lines: its record, and the number of the event that told its end. Those that were
 * over before count as ended, in the order in which they were told; with `since` only those told after that event.
 */
export const waitForNext = async (
  scheduler: Scheduler,
  { runs, since, inside }: { runs: readonly RunId[]; since: number | null; inside: WaitRequest['inside'] },
): Promise<ReadableStream<Uint8Array>> => {
  const changed = new Set(runs);
  const pending = new Set(runs);
  let wake: (() => void) | null = null;
  const look = (run: RunId): void => {
    changed.add(run);
    wake?.();
  };
  const stop = scheduler.changes.listen(runs, (run, final) => {
    if (final) look(run);
  });
  const firstEnd = async (): Promise<EndedRun | null> => {
    let first: EndedRun | null = null;
    while (changed.size > 0) {
      const batch = [...changed].slice(0, readAtOnce);
      for (const run of batch) changed.delete(run);
      for (const end of await endedRuns(scheduler.store.read, batch)) {
        pending.delete(end.id);
        if (since !== null && (end.event ?? 0) <= since) continue;
        if (first === null || byEnd(end, first) < 0) first = end;
      }
    }
    return first;
  };
  const news = async (): Promise<WaitEvent[]> => {
    const first = await firstEnd();
    if (first === null) return pending.size === 0 ? [{ type: 'end' }] : [];
    const arriving = outputsArriving(scheduler, first.id);
    if (arriving !== null) {
      // Whoever reads its logs next finds them whole.
      void arriving.then(() => look(first.id));
      return [];
    }
    const [run = null] = await readRuns(scheduler, [first.id]);
    // Deleted since, as by `orca gc`.
    if (run === null) throw new OrcaError('run-unknown', { run: first.id });
    return isFinal(run.state) ? [{ type: 'run', run, event: first.event }, { type: 'end' }] : [];
  };

  let begin: WaitEvent[];
  try {
    // An unknown run is refused with a status, before the stream begins.
    await checkKnown(scheduler, runs);
    await checkTold(scheduler, since);
    begin = await news();
  } catch (error) {
    stop();
    throw error;
  }
  const beats = new Beats(scheduler, inside, pending, true);
  const next = async (): Promise<WaitEvent[]> => {
    if (begin.length > 0) return begin.splice(0);
    if (changed.size === 0) {
      const silent = await silence(scheduler, (heard) => (wake = heard));
      wake = null;
      if (silent) return [beats.next()];
    }
    return news();
  };
  return eventLines(next, () => {
    stop();
    beats.end();
    wake?.();
  });
};

/** Nothing would ever be told after an event that is not there, such as one of another state folder. */
const checkTold = async ({ store }: Scheduler, since: number | null): Promise<void> => {
  if (since === null) return;
  const last = await lastEventId(store.read);
  if (since > last) throw new OrcaError('event-ahead', { event: since, last });
};

const checkKnown = async ({ store }: Scheduler, runs: readonly RunId[]): Promise<void> => {
  for (let from = 0; from < runs.length; from += readAtOnce) {
    const batch = runs.slice(from, from + readAtOnce);
    const known = await briefStates(store.read, batch);
    const unknown = batch.find((run) => !known.has(run));
    if (unknown !== undefined) throw new OrcaError('run-unknown', { run: unknown });
  }
};
