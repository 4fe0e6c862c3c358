import { repeat } from './repeat.ts';
import type { Scheduler } from './scheduler.ts';

/** What comes free on the machine, or becomes scarce, tells nobody. */
const everyMs = 2000;

/**
 * Has the queue looked at again and again for as long as a run stands in the order, or soon will: the machine may have changed meanwhile, and so may the
 * reason. Not for what a person holds back or what comes after others: nothing of the machine starts that, and a daemon that only holds such
 * runs may sleep, or leave.
 */
export const watchMachine = (scheduler: Scheduler): void => {
  const delayMs = (): number | null => (isOfUse(scheduler) ? everyMs : null);
  repeat(scheduler, delayMs, () => {
    if (isOfUse(scheduler)) scheduler.moved.raise();
  });
};

const isOfUse = ({ closing, queue, down, paused }: Scheduler): boolean =>
  !closing && !down && paused === null && queue.coming > 0;
