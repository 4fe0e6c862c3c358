import { admit } from '../admission/admit.ts';
import { millis, type Millis } from '../units/brands.ts';
import { admissionState } from './admission-state.ts';
import { claim, takeAdmitted } from './claim.ts';
import { noteKeptBack } from './note-kept-back.ts';
import { lookAtMachine } from './machine-state.ts';
import type { Scheduler } from './scheduler.ts';
import { steadyNow } from './steady.ts';

/** Starts what fits, and sees to it that it is asked again when a back-off ends. */
export const admitNow = (scheduler: Scheduler): void => {
  const { host, queue } = scheduler;
  cancelWake(scheduler);
  if (!scheduler.closing) {
    const now = steadyNow(host);
    if (queue.wantsGpus) scheduler.gpus.want();
    lookAtMachine(scheduler);
    queue.wake(now);
    if (scheduler.stall.at(now) === null) startWhatFits(scheduler, now);
    wakeLater(scheduler, now);
  }
  // Also while it ends.
  scheduler.keepers.work(isNeeded(scheduler));
};

/** Whether the resident is to start the next daemon though no keeper is left: for what waits, and for ends that no daemon has stored. */
const isNeeded = ({ queue, paused, down, claiming, live, fetching }: Scheduler): boolean =>
  (queue.size > 0 && paused === null && !down) || claiming.size + live.size + fetching.size > 0;

const startWhatFits = (scheduler: Scheduler, now: Millis): void => {
  const { queue } = scheduler;
  const round = admit(queue, admissionState(scheduler), scheduler.remembered, now);
  scheduler.round = round;
  scheduler.remembered = round.remembered;
  noteKeptBack(scheduler, round, now);
  for (const taken of takeAdmitted(scheduler, round.admitted)) void claim(scheduler, taken);
};

const wakeLater = (scheduler: Scheduler, now: Millis): void => {
  // A claim that failed at once has had it asked again by itself.
  cancelWake(scheduler);
  const { host, queue, stall } = scheduler;
  const wakeAt = stall.at(now)?.until ?? queue.nextWake(now);
  if (wakeAt !== null) scheduler.cancelWake = host.timers.set(later(wakeAt, now), () => admitNow(scheduler));
};

const cancelWake = (scheduler: Scheduler): void => {
  scheduler.cancelWake?.();
  scheduler.cancelWake = null;
};

/** Asks again after what changed: once for all that one turn of the event loop changes. */
export const admitOnceATurn = (scheduler: Scheduler): void => {
  let asked = false;
  scheduler.moved.listen(() => {
    if (asked) return;
    asked = true;
    // After all that is settled by then, and before anything new comes in.
    process.nextTick(() => {
      asked = false;
      admitNow(scheduler);
    });
  });
};

const longest = 3_600_000;
const later = (moment: Millis, now: Millis): Millis => millis(Math.min(longest, Math.max(1, moment - now)));
