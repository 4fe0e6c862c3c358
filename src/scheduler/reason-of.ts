import { reason } from '../admission/reason.ts';
import type { RunId } from '../units/brands.ts';
import { holdings } from './admit-now.ts';
import type { Scheduler } from './scheduler.ts';

/** Why a queued run waits; null when it does not, or is just being started. */
export const reasonOf = (scheduler: Scheduler, run: RunId): string | null => {
  const { budget, queue, host, troubles, down } = scheduler;
  if (!queue.has(run)) return null;
  const trouble = troubles.get(run);
  if (trouble !== undefined) return trouble;
  if (down && ![...queue.nested()].some((nested) => nested.run === run))
    return 'orca is down: `orca up` lets it start runs again';
  return reason(run, budget, holdings(scheduler), queue, host.now());
};
