import { needsEndOf } from '../admission/needs-end-of.ts';
import type { RunId } from '../units/brands.ts';
import type { SubmitRequest } from '../wire/api.ts';
import { ancestors, parentOf } from './nested.ts';
import { lastRound } from './reason-of.ts';
import type { Scheduler } from './scheduler.ts';

/** A wait that is part of a run: that one goes on until the wait is over. */
export interface InnerWait {
  readonly inside: NonNullable<SubmitRequest['inside']>;
  /** The runs that are not over yet. */
  readonly pending: ReadonlySet<RunId>;
  /** It is over with the first of them. */
  readonly any: boolean;
}

export interface StuckWait {
  readonly run: RunId;
  readonly why: string;
}

/** So many of a wait's runs are looked at. */
const mostLooked = 200;

/**
 * Why a wait would never end: among the waits that are parts of runs are some of which each needs the end of a run that one of them is part of.
 * Of those the one in the youngest run is told, so that the others get what it holds. Null: it would end, as far as can be told.
 */
export const stuckWait = (scheduler: Scheduler, wait: InnerWait): StuckWait | null => {
  const stuck = new Map<InnerWait, readonly RunId[]>();
  for (const one of scheduler.innerWaits) {
    const callers = ancestors(scheduler, parentOf(scheduler, one));
    if (callers.length > 0) stuck.set(one, callers);
  }
  for (;;) {
    const look = lookFor(scheduler, stuck);
    const free = [...stuck.keys()].filter((one) => mayEnd(one, look));
    if (free.length === 0) break;
    for (const one of free) stuck.delete(one);
  }
  const own = stuck.get(wait);
  const holders = [...new Set([...stuck.values()].flatMap(([holder]) => holder ?? []))].sort((a, b) => a - b);
  if (own === undefined || own[0] !== holders.at(-1)) return null;
  const look = lookFor(scheduler, stuck);
  for (const run of wait.pending) {
    const last = look(run);
    if (last !== null) return { run, why: whyStuck(run, last, own, holders) };
  }
  return null;
};

const mayEnd = ({ pending, any }: InnerWait, look: Look): boolean => {
  const some = [...pending].slice(0, mostLooked);
  const endless = (run: RunId): boolean => look(run) !== null;
  return any ? some.length < pending.size || !some.every(endless) : !some.some(endless);
};

/** The run at which it shows that another one does not end before those that waits are part of: itself, or one that it comes after. Null: it may. */
type Look = (run: RunId) => RunId | null;

/** Goes over each run that may end once, however many come after it, and in however many ways. */
const lookFor = (scheduler: Scheduler, waits: ReadonlyMap<InnerWait, readonly RunId[]>): Look => {
  const held = new Set([...waits.values()].flat());
  const fine = new Set<RunId>();
  return (run) => {
    const seen = new Set<RunId>();
    const left = [run];
    for (let one = left.pop(); one !== undefined; one = left.pop()) {
      if (held.has(one)) return one;
      const entry = seen.has(one) || fine.has(one) ? null : scheduler.queue.get(one);
      seen.add(one);
      if (entry === null) continue;
      if (entry.after === null && needsEndOf(scheduler.queue, lastRound(scheduler), entry, held)) return one;
      if (entry.after !== null)
        for (const after of scheduler.dependents.of(one).toReversed()) if ('run' in after) left.push(after.run);
    }
    for (const one of seen) fine.add(one);
    return null;
  };
};

const whyStuck = (run: RunId, last: RunId, own: readonly RunId[], holders: readonly RunId[]): string => {
  if (own.includes(run)) return 'this wait is a part of it';
  const after = last === run ? 'it' : `it comes after run ${last}, which`;
  if (own.includes(last)) return `it comes after run ${last}, and this wait is a part of that`;
  const [holder] = holders;
  return holders.length > 1
    ? `${after} needs what runs ${holders.join(', ')} hold, which wait for one another`
    : `${after} needs what run ${holder} holds, and run ${holder} goes on until this wait is over`;
};
