import { millis } from '../units/brands.ts';
import type { Scheduler } from './scheduler.ts';

/** What comes free on the machine, or becomes scarce, tells nobody. */
const everyMs = 2000;

/**
 * Has the queue looked at again and again for as long as a run stands in the order, or soon will: the machine may have changed meanwhile, and so may the
 * reason. Not for what a person holds back or what comes after others: nothing of the machine starts that, and a daemon that only holds such
 * runs may sleep, or leave.
 */
export const watchMachine = (scheduler: Scheduler): (() => void) => {
  let cancel: (() => void) | null = null;
  const arm = (): void => {
    if (cancel !== null || !isOfUse(scheduler)) return;
    cancel = scheduler.host.timers.set(millis(everyMs), () => {
      cancel = null;
      if (isOfUse(scheduler)) scheduler.moved.raise();
      arm();
    });
  };
  const stop = scheduler.moved.listen(arm);
  arm();
  return () => {
    stop();
    cancel?.();
  };
};

const isOfUse = ({ closing, queue, down, paused }: Scheduler): boolean =>
  !closing && !down && paused === null && queue.coming > 0;
