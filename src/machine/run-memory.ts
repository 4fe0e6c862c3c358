import { processesCalled } from './matching-processes.ts';
import type { PidStat } from './pid-stat.ts';
import { childrenOf, withDescendants } from './process-tree.ts';

/** Which processes are a run's: one and what descends from it, and those that are called so. */
export interface RunProcesses {
  /** With its start time: another process that got the same pid is not the run's. */
  readonly root: Pick<PidStat, 'pid' | 'startTicks'> | null;
  readonly command: string | null;
}

/** Their resident bytes together, each process once, from the readings of one pass (seed 001: tree_rss). */
export const runRss = (
  procRoot: string,
  { root, command }: RunProcesses,
  stats: readonly PidStat[],
  pageBytes: number,
): number => {
  const tops = root === null ? [] : stats.filter((stat) => isSame(stat, root));
  const ours = new Set(tops.length === 0 ? [] : withDescendants(tops, childrenOf(stats)));
  if (command !== null) for (const stat of processesCalled(procRoot, command, stats)) ours.add(stat);
  let pages = 0;
  for (const stat of ours) pages += stat.rssPages;
  return pages * pageBytes;
};

const isSame = (stat: PidStat, root: Pick<PidStat, 'pid' | 'startTicks'>): boolean =>
  stat.pid === root.pid && stat.startTicks === root.startTicks;

/** Whether that very process runs (seed 001: alive): a zombie does not, nor does another one with its pid. */
export const isRunning = (now: PidStat | null, root: Pick<PidStat, 'pid' | 'startTicks'>): boolean =>
  now !== null && now.state !== 'Z' && now.state !== 'X' && isSame(now, root);
