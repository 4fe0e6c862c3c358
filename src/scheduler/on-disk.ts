import { millis } from '../units/brands.ts';
import type { Scheduler } from './scheduler.ts';

/** Resolves when all that was committed so far is on disk: an empty command is, only after those before it. */
export const onDisk = ({ store }: Pick<Scheduler, 'store'>): Promise<void> =>
  store.command(async () => {}, { durable: true });

const again = millis(1000);

/** The same, however long a disk that fails takes: what is committed cannot be taken back, so its waiters are kept waiting. */
export const onDiskAtLast = async (scheduler: Scheduler): Promise<void> => {
  for (;;) {
    try {
      return await onDisk(scheduler);
    } catch (error) {
      if (scheduler.closing) throw error;
      scheduler.log.error({ err: error }, 'what was stored is not surely on disk yet');
      await new Promise<void>((resolve) => scheduler.host.timers.set(again, resolve));
    }
  }
};
