import { removeLeft } from './contain.ts';
import { deliverAsk } from './deliver-ask.ts';
import type { LiveStart } from './live-start.ts';
import { lookAt } from './look-at.ts';
import { repeat } from './repeat.ts';
import type { Scheduler } from './scheduler.ts';
import { steadyNow } from './steady.ts';

const every = 5000;

/** Looks at every live start's folder every 5 s, so that neither a lost report nor a lost file event leaves one running for ever. */
export const lookAfter = (scheduler: Scheduler): void => {
  const { live, leftCgroups, strangeCgroups } = scheduler;
  const delayMs = (): number | null => (live.size + leftCgroups.size + strangeCgroups.size > 0 ? every : null);
  repeat(scheduler, delayMs, () => {
    removeLeft(scheduler);
    const now = steadyNow(scheduler.host);
    for (const one of live.values()) {
      if (one.adopted || now - one.since >= every) void look(scheduler, one);
    }
  });
};

export const look = async (scheduler: Scheduler, live: LiveStart): Promise<void> => {
  try {
    await lookAt(scheduler, live);
    if (!live.ending && live.ask !== null) await deliverAsk(scheduler, live);
  } catch (error) {
    scheduler.log.error({ err: error, run: live.run, start: live.start }, 'a start folder could not be looked at');
  }
};
