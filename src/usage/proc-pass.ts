import { childrenOf, withDescendants, type Children } from '../machine/process-tree.ts';
import { readPidStats } from '../machine/read-pid-stats.ts';
import type { PidStat } from '../machine/pid-stat.ts';
import type { ProcUnits } from '../machine/proc-units.ts';

/** Whose tree is measured: all that descends from its keeper, and the command itself, wherever it hangs. */
export interface TreeRoot {
  /** Not counted itself. It is the tree's subreaper, so a process whose parent died is still found. */
  readonly keeper: number | null;
  readonly command: number | null;
}

export interface TreeUsage {
  readonly rssBytes: number;
  /** With what the tree's processes waited for. */
  readonly cpuSeconds: number;
  /** The living ones, zombies left out. */
  readonly pids: readonly number[];
}

/** Every root's tree, in the roots' order, from one pass over `/proc`; all zero where nothing of it is left. */
export const procPass = (procRoot: string, roots: readonly TreeRoot[], units: ProcUnits): TreeUsage[] =>
  roots.length === 0 ? [] : treesOf(readPidStats(procRoot), roots, units);

/** The same from readings that were taken already. */
export const treesOf = (stats: readonly PidStat[], roots: readonly TreeRoot[], units: ProcUnits): TreeUsage[] => {
  const byPid = new Map(stats.map((stat) => [stat.pid, stat]));
  const children = childrenOf(stats);
  return roots.map((root) => treeOf(root, byPid, children, units));
};

const treeOf = (
  root: TreeRoot,
  byPid: ReadonlyMap<number, PidStat>,
  children: Children,
  units: ProcUnits,
): TreeUsage => {
  const keeper = root.keeper === null ? undefined : byPid.get(root.keeper);
  const command = root.command === null ? undefined : byPid.get(root.command);
  const tops = keeper === undefined ? [] : [...(children.get(keeper.pid) ?? [])];
  if (command !== undefined) tops.push(command);
  const found = withDescendants(tops, children, keeper);
  // The keeper waits for the orphans of the tree and for nothing else, so what it waited for is the tree's.
  let ticks = keeper?.waitedTicks ?? 0;
  let pages = 0;
  const pids: number[] = [];
  for (const stat of found) {
    ticks += stat.ownTicks + stat.waitedTicks;
    pages += stat.rssPages;
    if (stat.state !== 'Z' && stat.state !== 'X') pids.push(stat.pid);
  }
  return { rssBytes: pages * units.pageBytes, cpuSeconds: ticks / units.ticksPerSecond, pids };
};
