import { millis } from '../units/brands.ts';
import type { Scheduler } from './scheduler.ts';

/**
 * Does something again and again, for as long as there is need of it: `delayMs` says in how many milliseconds the next time is due, null that there
 * is none. Whenever something moved it is asked anew; while there is no need nothing wakes.
 */
export const repeat = (scheduler: Scheduler, delayMs: () => number | null, go: () => void): void => {
  let armed = false;
  const arm = (): void => {
    const due = armed ? null : delayMs();
    if (due === null) return;
    armed = true;
    scheduler.host.timers.set(millis(due), () => {
      armed = false;
      go();
      arm();
    });
  };
  scheduler.moved.listen(arm);
  arm();
};
