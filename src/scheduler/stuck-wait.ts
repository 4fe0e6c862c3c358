import { needsEndOf } from '../admission/needs-end-of.ts';
import type { RunId } from '../units/brands.ts';
import type { SubmitRequest } from '../wire/api.ts';
import { ancestors, parentOf } from './nested.ts';
import { lastRound } from './reason-of.ts';
import type { Scheduler } from './scheduler.ts';

export interface StuckWait {
  readonly run: RunId;
  readonly why: string;
}

/** So many are looked at each time. */
const mostLooked = 200;

/** Why a wait that is part of a run would never end: that run cannot end before the wait does. Null: it would, as far as can be told. */
export const stuckWait = (
  scheduler: Scheduler,
  awaited: Iterable<RunId>,
  inside: SubmitRequest['inside'],
): StuckWait | null => {
  if (inside === undefined) return null;
  const callers = ancestors(scheduler, parentOf(scheduler, { inside }));
  const [holder] = callers;
  if (holder === undefined) return null;
  let looked = 0;
  for (const run of awaited) {
    if (callers.includes(run)) return { run, why: 'this wait is a part of it' };
    const entry = scheduler.queue.get(run);
    if (entry === null || (looked += 1) > mostLooked) continue;
    if (needsEndOf(scheduler.queue, lastRound(scheduler), entry, new Set(callers)))
      return { run, why: `it needs what run ${holder} holds, and run ${holder} goes on until this wait is over` };
  }
  return null;
};
