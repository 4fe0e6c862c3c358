import { admit } from '../admission/admit.ts';
import { millis, type Millis } from '../units/brands.ts';
import type { Holding } from '../admission/types.ts';
import { claim } from './claim.ts';
import { lookAtMachine } from './machine-state.ts';
import type { Scheduler } from './scheduler.ts';

/** Starts what fits, and sees to it that it is asked again when a back-off ends. Called after every change. */
export const admitNow = (scheduler: Scheduler): void => {
  const { host, budget, queue, keepers } = scheduler;
  scheduler.cancelWake?.();
  scheduler.cancelWake = null;
  if (!scheduler.closing) {
    // After `down`, and while all is paused, what runs may end, and what is part of it belongs to that.
    const waiting = scheduler.down || scheduler.paused !== null ? queue.nested() : queue;
    lookAtMachine(scheduler);
    const { admitted, wakeAt } = admit(budget, holdings(scheduler), waiting, host.now());
    for (const run of admitted) void claim(scheduler, run);
    if (wakeAt !== null) {
      scheduler.cancelWake = host.timers.set(later(wakeAt, host.now()), () => admitNow(scheduler));
    }
  }
  // Also while it ends: what is queued, or has no keeper yet, is why the resident starts the next daemon.
  keepers.work(queue.size + scheduler.fetching.size > 0 && !scheduler.down && scheduler.paused === null);
};

/** Everything that holds a part of the budget. */
export const holdings = ({ live, claiming }: Scheduler): Holding[] => [
  ...[...live.values()].filter(({ parent, released }) => parent === null && !released),
  ...claiming.values(),
];

const longest = 3_600_000;
const later = (moment: Millis, now: Millis): Millis => millis(Math.min(longest, Math.max(1, moment - now)));
