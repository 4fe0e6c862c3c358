import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseLimit } from '../machine/memory-limit.ts';
import { parseBytes } from '../machine/parse-bytes.ts';
import { avg10Of } from '../machine/pressure.ts';
import { readText } from '../machine/read-text.ts';
import { countNamed } from '../machine/memory-events.ts';
import { parseRunName } from './run-name.ts';

/** A run's cgroup, as anybody may read it. */
export interface RunCgroup {
  readonly folder: string;
  /** The user that it belongs to; null where that cannot be told. */
  readonly uid: number | null;
  /** The smaller of `memory.high` and `memory.max`; null where neither is a number. */
  readonly limitBytes: number | null;
  readonly currentBytes: number | null;
  /** Percent of the last 10 s in which some of it waited for memory. */
  readonly someAvg10: number | null;
}

/** Deep enough for a user's service in a container; no machine has so many cgroups that a walk through more would be worth its time. */
const deepest = 12;
const mostFolders = 4000;

/**
 * The cgroups of runs below a `/sys/fs/cgroup` that are not `isOwn` and have a process in them: those of other daemons. What cannot be read is
 * passed over. Into the cgroups of runs themselves nobody looks.
 */
export const findOtherRuns = (cgroupRoot: string, isOwn: (folder: string) => boolean): RunCgroup[] => {
  const found: RunCgroup[] = [];
  const open = [{ folder: cgroupRoot, depth: 0 }];
  for (let seen = 0; seen < mostFolders; seen += 1) {
    const next = open.pop();
    if (next === undefined) break;
    for (const name of foldersIn(next.folder)) {
      const folder = join(next.folder, name);
      if (parseRunName(name) === null) {
        if (next.depth < deepest) open.push({ folder, depth: next.depth + 1 });
      } else if (!isOwn(folder) && isPopulated(folder)) found.push(readRunCgroup(folder));
    }
  }
  return found;
};

/** One more link than two for each folder in it: of most cgroups that tells at once that there is none. */
const foldersIn = (folder: string): string[] => {
  try {
    if (statSync(folder).nlink === 2) return [];
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  } catch {
    return [];
  }
};

const isPopulated = (folder: string): boolean =>
  countNamed(readText(join(folder, 'cgroup.events')) ?? 'populated 0', 'populated') !== 0n;

const readRunCgroup = (folder: string): RunCgroup => {
  const limits = ['memory.high', 'memory.max'].flatMap((file) => {
    const limit = parseLimit(readText(join(folder, file)) ?? '');
    return typeof limit === 'number' ? [limit] : [];
  });
  return {
    folder,
    uid: ownerOf(folder),
    limitBytes: limits.length === 0 ? null : Math.min(...limits),
    currentBytes: parseBytes(readText(join(folder, 'memory.current'))),
    someAvg10: avg10Of(readText(join(folder, 'memory.pressure')) ?? '', 'some'),
  };
};

const ownerOf = (folder: string): number | null => {
  try {
    return statSync(folder).uid;
  } catch {
    return null;
  }
};
