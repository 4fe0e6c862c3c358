import { millis } from '../units/brands.ts';
import type { Scheduler } from './scheduler.ts';

const every = millis(250);

/** Tells those who wait for queued runs that the reason may be another one now, at most four times a second. */
export const tellWaiting = (scheduler: Scheduler): void => {
  let due = false;
  scheduler.moved.listen(() => {
    if (due) return;
    due = true;
    scheduler.host.timers.set(every, () => {
      due = false;
      for (const run of scheduler.changes.heard) {
        if (scheduler.queue.has(run)) scheduler.changes.tell(run, false);
      }
    });
  });
};
