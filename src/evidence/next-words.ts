import { formatSize } from '../units/format-size.ts';

/** What the next start is given after a start that died; sizes in bytes, null: no limit. */
export interface NextStart {
  /** The limit that it died at. */
  readonly limitBytes: number | null;
  /** What the raise made of it; null: it is tried again as it was. */
  readonly raisedBytes: number | null;
  readonly growth: number;
}

/** What the next start gets, as a sentence. Why there is none is `runs/retry.ts`'s to say. */
export const nextWords = ({ limitBytes, raisedBytes, growth }: NextStart): string => {
  if (raisedBytes === null || raisedBytes === limitBytes)
    return limitBytes === null
      ? 'It is tried again as it was.'
      : `It is tried again at the same size, ${formatSize(limitBytes)}.`;
  // A whole MB is given, so the product may have been rounded up by less than one.
  const grown = limitBytes !== null && Math.abs(raisedBytes - limitBytes * growth) < 1048576;
  return `The next start gets ${formatSize(raisedBytes)} (${grown ? `limit × ${growth}` : 'the most that it may get'}).`;
};
