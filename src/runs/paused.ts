import type { Millis } from '../units/brands.ts';
import { formatDuration } from '../units/format-duration.ts';

/** A person holds a run, or the whole queue, back. */
export interface Paused {
  readonly by: string;
  readonly reason: string | null;
  /** 0: nobody knows. */
  readonly at: Millis;
}

/** `paused by ada for 12m 3s: the backup runs`; without the time while it is short. */
export const pausedWords = (
  { by, reason, at }: { readonly by: string; readonly reason: string | null; readonly at: number },
  now: number,
): string =>
  `paused by ${by}${at === 0 || now - at < 1000 ? '' : ` for ${formatDuration(now - at)}`}${reason === null ? '' : `: ${reason}`}`;
