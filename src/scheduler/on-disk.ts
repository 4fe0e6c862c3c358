import { millis, type Millis } from '../units/brands.ts';
import type { Scheduler } from './scheduler.ts';

const again = millis(1000);
/** Ends that come so soon after one another share a way to the disk: nothing waits for it but the word that they are over. */
const gatherMs = 10;

/** The way of ends to the disk. */
export interface EndsOnDisk {
  /** When the last one began. */
  begunAt: Millis;
  /** One that has not begun yet. */
  next: Promise<void> | null;
}

/** Resolves when the ends that were committed so far are on disk. One that comes alone goes there at once. */
export const endOnDisk = (scheduler: Scheduler): Promise<void> => {
  const { endsOnDisk: ends, host } = scheduler;
  const go = (): Promise<void> => {
    ends.begunAt = host.now();
    ends.next = null;
    return onDiskAtLast(scheduler);
  };
  if (ends.next !== null) return ends.next;
  const restMs = ends.begunAt + gatherMs - host.now();
  // A clock that was set back must not make it wait.
  if (restMs <= 0 || restMs > gatherMs) return go();
  ends.next = new Promise<void>((resolve) => host.timers.set(millis(restMs), resolve)).then(go);
  return ends.next;
};

/** Resolves when all that was committed so far is on disk, however long a disk that fails takes: what is committed cannot be taken back, so its waiters are kept waiting. */
const onDiskAtLast = async (scheduler: Scheduler): Promise<void> => {
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
