import { readComm, readUid } from './process-owner.ts';
import type { PidStat } from './pid-stat.ts';
import { childrenOf, withDescendants } from './process-tree.ts';
import { userName } from './user-names.ts';

/** A process that is no run's, for the words of a reason. */
export interface ForeignProcess {
  readonly pid: number;
  /** What it calls itself; empty where that cannot be read. */
  readonly name: string;
  /** Null where it cannot be read. */
  readonly user: string | null;
  readonly residentBytes: number;
}

/** The one with most resident memory of those that neither are `own` nor descend from them; null without any. */
export const largestForeign = (stats: readonly PidStat[], own: ReadonlySet<number>): PidStat | null => {
  const ours = withDescendants(
    stats.filter(({ pid }) => own.has(pid)),
    childrenOf(stats),
  );
  let largest: PidStat | null = null;
  // Threads of the kernel have no memory of their own.
  for (const stat of stats) if (!ours.has(stat) && stat.rssPages > (largest?.rssPages ?? 0)) largest = stat;
  return largest;
};

/** Who it is. */
export const describeProcess = (
  { procRoot, passwdFile }: { readonly procRoot: string; readonly passwdFile: string },
  pid: number,
): Pick<ForeignProcess, 'pid' | 'name' | 'user'> => {
  const uid = readUid(procRoot, pid);
  return { pid, name: readComm(procRoot, pid), user: uid === null ? null : userName(passwdFile, uid) };
};
