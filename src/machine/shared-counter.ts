import { join } from 'node:path';
import { countNamed } from './memory-events.ts';
import { ownPath, pathsUp } from './own-path.ts';
import { readText } from './read-text.ts';

/** Where one machine's kernel files are; tests give folders of their own. */
export interface KernelRoots {
  readonly procRoot: string;
  /** `/sys/fs/cgroup`. */
  readonly cgroupRoot: string;
}

/**
 * The file whose `oom_kill` counts kills for memory around the runs: the nearest `memory.events` that can be read, from `base`, the folder of
 * the cgroup that holds theirs, upwards; without one (null) from our own, which they share (in a hybrid layout cgroup v2 is mounted at
 * `unified`); else `/proc/vmstat`, which counts the whole machine. Null: none can be read, so there is no evidence. A folder alone proves
 * nothing: the count must be there.
 */
export const sharedCounterFile = (roots: KernelRoots, base: string | null): string | null => {
  const candidates = [...eventsFiles(roots, base), join(roots.procRoot, 'vmstat')];
  return candidates.find((file) => countNamed(readText(file) ?? '', 'oom_kill') !== null) ?? null;
};

/** Nearest first. */
const eventsFiles = ({ procRoot, cgroupRoot }: KernelRoots, base: string | null): string[] => {
  if (base !== null) return pathsUp(base).map((folder) => join(folder, 'memory.events'));
  const own = ownPath(readText(join(procRoot, 'self/cgroup')) ?? '');
  if (own === '') return [];
  return [cgroupRoot, join(cgroupRoot, 'unified')].flatMap((mount) =>
    pathsUp(own).map((path) => join(mount, path, 'memory.events')),
  );
};
