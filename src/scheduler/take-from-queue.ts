import type { Waiting } from '../admission/types.ts';
import type { RunId } from '../units/brands.ts';
import type { Scheduler } from './scheduler.ts';

export interface Taken {
  /** It stays out. */
  keep(run: RunId): void;
  /** All that were not kept wait again. */
  putBack(): void;
}

/** Takes those of `runs` that wait out of the queue, so that none of them is started meanwhile. */
export const takeFromQueue = ({ queue, moved }: Pick<Scheduler, 'queue' | 'moved'>, runs: readonly RunId[]): Taken => {
  const taken = new Map<RunId, Waiting>();
  for (const run of runs) {
    const entry = queue.remove(run);
    if (entry !== null) taken.set(run, entry);
  }
  return {
    keep: (run) => void taken.delete(run),
    putBack: () => {
      // One that came back meanwhile, after a start, is there as it is now.
      for (const entry of taken.values()) if (!queue.has(entry.run)) queue.add(entry);
      if (taken.size > 0) moved.raise();
    },
  };
};
