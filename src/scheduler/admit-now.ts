import { admit } from '../admission/admit.ts';
import { millis, type Millis } from '../units/brands.ts';
import { claim } from './claim.ts';
import type { Scheduler } from './scheduler.ts';

/** Starts what fits, and sees to it that it is asked again when a back-off ends. Called after every change. */
export const admitNow = (scheduler: Scheduler): void => {
  const { host, budget, live, queue, keepers } = scheduler;
  scheduler.cancelWake?.();
  scheduler.cancelWake = null;
  if (scheduler.closing) return;
  if (!scheduler.down) {
    const { admitted, wakeAt } = admit(budget, live.values(), queue, host.now());
    for (const run of admitted) claim(scheduler, run);
    if (wakeAt !== null) {
      scheduler.cancelWake = host.timers.set(later(wakeAt, host.now()), () => admitNow(scheduler));
    }
  }
  keepers.work(queue.size > 0 && !scheduler.down);
};

const longest = 3_600_000;
const later = (moment: Millis, now: Millis): Millis => millis(Math.min(longest, Math.max(1, moment - now)));
