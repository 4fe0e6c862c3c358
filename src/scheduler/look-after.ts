import { millis } from '../units/brands.ts';
import { removeLeft } from './contain.ts';
import { deliverAsk } from './deliver-ask.ts';
import type { LiveStart } from './live-start.ts';
import { lookAt } from './look-at.ts';
import type { Scheduler } from './scheduler.ts';

const every = 5000;

/** Looks at every live start's folder every 5 s, so that neither a lost report nor a lost file event leaves one running for ever. */
export const lookAfter = (scheduler: Scheduler): (() => void) => {
  let cancel: (() => void) | null = null;
  const arm = (): void => {
    const { live, leftCgroups, strangeCgroups } = scheduler;
    if (cancel !== null || live.size + leftCgroups.size + strangeCgroups.size === 0) return;
    cancel = scheduler.host.timers.set(millis(every), () => {
      cancel = null;
      removeLeft(scheduler);
      const now = scheduler.host.now();
      for (const live of scheduler.live.values()) {
        if (live.adopted || now - live.claimedAt >= every) void look(scheduler, live);
      }
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

export const look = async (scheduler: Scheduler, live: LiveStart): Promise<void> => {
  try {
    await lookAt(scheduler, live);
    if (!live.ending && live.ask !== null) await deliverAsk(scheduler, live);
  } catch (error) {
    scheduler.log.error({ err: error, run: live.run, start: live.start }, 'a start folder could not be looked at');
  }
};
