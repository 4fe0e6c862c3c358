import { atLimit } from './at-limit.ts';

/** From this `full avg10` on a run at its limit is held there (seed 000: HELD_PRESSURE). */
export const heldPressure = 50;

/** What a held run waits for: memory (the seed's rule), or pages of files that it had and that were taken from it. */
export type HeldBy = 'memory' | 'files';

/** Whether a run is held at its limit now: at it, and its tasks all waiting most of the time (seed 000: held). */
export const held = (currentBytes: number | null, limitBytes: number, fullAvg10: number | null): boolean =>
  atLimit(currentBytes, limitBytes) && fullAvg10 !== null && fullAvg10 >= heldPressure;

export interface FileWait {
  readonly currentBytes: number | null;
  /** Page cache of files on a disk: what the kernel can take back without swap. */
  readonly cacheBytes: number | null;
  readonly limitBytes: number;
  /** `full avg10` of `io.pressure`. */
  readonly ioFullAvg10: number | null;
}

/**
 * Whether a run may be one that thrashes on files: what cannot be taken back fills its limit by itself, so that next to nothing is left for
 * the pages of its files, its own program's among them, and all its tasks wait for a disk most of the time. The kernel's memory pressure
 * does not show that: it counts only the wait for pages that it thinks would have stayed with a little more memory. Whether it is so is for
 * `progressOf` to say.
 */
export const mayThrash = ({ currentBytes, cacheBytes, limitBytes, ioFullAvg10 }: FileWait): boolean =>
  currentBytes !== null && cacheBytes !== null && held(currentBytes - cacheBytes, limitBytes, ioFullAvg10);
