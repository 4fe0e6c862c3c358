import type { RunCgroup } from './other-runs.ts';

/** What one user's daemons have promised to their runs. */
export interface Promised {
  /** Null where the owner cannot be told. */
  readonly uid: number | null;
  readonly bytes: number;
}

/** This store's own measures. */
export interface Measures {
  readonly budgetBytes: number;
  /** What a run without a request counts for. */
  readonly shareBytes: number;
}

/** A run without a request has the whole budget of its daemon for a limit, which need not be as large as ours. */
const likeAll = 0.75;

/**
 * What others' runs hold together, by user. A run counts for its limit. One whose limit is about all that there is was promised nothing in particular:
 * it counts as such a run of ours would, or for what it uses, if that is more. One without any limit counts for what it uses.
 */
export const othersHold = (runs: readonly RunCgroup[], measures: Measures): Promised[] => {
  const sums = new Map<number | null, number>();
  for (const run of runs) sums.set(run.uid, (sums.get(run.uid) ?? 0) + promisedTo(run, measures));
  return [...sums]
    .map(([uid, bytes]) => ({ uid, bytes }))
    .filter(({ bytes }) => bytes > 0)
    .sort((a, b) => b.bytes - a.bytes || (a.uid ?? -1) - (b.uid ?? -1));
};

const promisedTo = ({ limitBytes, currentBytes }: RunCgroup, { budgetBytes, shareBytes }: Measures): number => {
  if (limitBytes === null) return currentBytes ?? 0;
  return limitBytes >= budgetBytes * likeAll ? Math.max(currentBytes ?? 0, shareBytes) : limitBytes;
};
