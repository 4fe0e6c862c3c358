import { reason } from '../admission/reason.ts';
import { pausedWords } from '../runs/paused.ts';
import type { RunId } from '../units/brands.ts';
import { holdings } from './admit-now.ts';
import type { Scheduler } from './scheduler.ts';

/** Why a queued run waits; null when it does not, or is just being started. */
export const reasonOf = (scheduler: Scheduler, run: RunId): string | null => {
  const { budget, queue, host, troubles, down, paused } = scheduler;
  if (!queue.has(run)) return null;
  const trouble = troubles.get(run);
  if (trouble !== undefined) return trouble;
  if ((down || paused !== null) && ![...queue.nested()].some((nested) => nested.run === run)) {
    if (down) return 'orca is down: `orca up` lets it start runs again';
    if (paused !== null) return `the queue is ${pausedWords(paused, host.now())}; \`orca resume\` lets it go on`;
  }
  return reason(run, budget, holdings(scheduler), queue, host.now());
};
