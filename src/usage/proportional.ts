import { readPss } from '../machine/smaps-rollup.ts';

/**
 * Proportional memory of a tree in bytes, shared pages counted once (`smaps_rollup`'s Pss). A process that has ended counts
 * nothing; null where one that lives cannot be read.
 */
export const proportionalBytes = (procRoot: string, pids: readonly number[]): number | null => {
  let sum = 0;
  for (const pid of pids) {
    const pss = readPss(procRoot, pid);
    if (pss === 'unreadable') return null;
    if (pss !== 'gone') sum += pss;
  }
  return sum;
};
