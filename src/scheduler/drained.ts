import type { Scheduler } from './scheduler.ts';

/** Resolves when no start is going on. */
export const drained = (scheduler: Scheduler): Promise<void> =>
  new Promise((resolve) => {
    const stop = scheduler.moved.listen(() => check());
    const check = (): void => {
      if (scheduler.live.size > 0 || scheduler.claiming.size > 0) return;
      stop();
      resolve();
    };
    check();
  });
