import { millis } from '../units/brands.ts';
import type { Scheduler } from './scheduler.ts';

/** What comes free on the machine, or becomes scarce, tells nobody. */
const everyMs = 2000;

/** Has the queue looked at again and again for as long as a run waits: the machine may have changed meanwhile, and so may the reason. */
export const watchMachine = (scheduler: Scheduler): (() => void) => {
  let cancel: (() => void) | null = null;
  const arm = (): void => {
    if (cancel !== null || scheduler.closing || scheduler.queue.size === 0) return;
    cancel = scheduler.host.timers.set(millis(everyMs), () => {
      cancel = null;
      if (scheduler.queue.size > 0) scheduler.moved.raise();
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
