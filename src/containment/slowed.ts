import { atLimit } from './at-limit.ts';

/** From this `some avg10` on a run over its limit is worth a word: below, the kernel takes its page cache back almost for nothing. */
export const slowedPressure = 10;

/** As long as `avg10` looks back; a run that stays over its limit counts `high` every 2 s at least. */
const lastlyMs = 10_000;

export interface OverLimit {
  readonly currentBytes: number | null;
  readonly limitBytes: number;
  /** Since `high` of its `memory.events` rose; null: not seen to. */
  readonly roseMsAgo: number | null;
  /** Null on a kernel without PSI. */
  readonly someAvg10: number | null;
  /** Page cache that can be taken back; looked at only without PSI. */
  readonly cacheBytes: number | null;
}

/**
 * Whether the kernel slows a run down since it went over its limit. Without PSI nothing says how much it waits: then it is one whose memory is
 * at the limit without its page cache, of which the kernel has nothing to take back.
 */
export const isSlowed = ({ currentBytes, limitBytes, roseMsAgo, someAvg10, cacheBytes }: OverLimit): boolean => {
  if (!atLimit(currentBytes, limitBytes) || roseMsAgo === null || roseMsAgo >= lastlyMs) return false;
  if (someAvg10 !== null) return someAvg10 >= slowedPressure;
  return currentBytes !== null && cacheBytes !== null && atLimit(currentBytes - cacheBytes, limitBytes);
};
