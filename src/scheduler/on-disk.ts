import { millis } from '../units/brands.ts';
import type { Scheduler } from './scheduler.ts';

const again = millis(1000);

/** Resolves when all that was committed so far is on disk, however long a disk that fails takes: what is committed cannot be taken back, so its waiters are kept waiting. */
export const onDiskAtLast = async (scheduler: Scheduler): Promise<void> => {
  for (;;) {
    try {
      return await scheduler.store.onDisk();
    } catch (error) {
      if (scheduler.closing) throw error;
      scheduler.log.error({ err: error }, 'what was stored is not surely on disk yet');
      await new Promise<void>((resolve) => scheduler.host.timers.set(again, resolve));
    }
  }
};
