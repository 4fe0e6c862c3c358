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
 * The file whose `oom_kill` counts kills for memory around this process: the nearest `memory.events` that can be read,
 * from our own cgroup upwards (in a hybrid layout cgroup v2 is mounted at `unified`), else `/proc/vmstat`, which counts the
 * whole machine. Null: none can be read, so there is no evidence. A folder alone proves nothing: the count must be there.
 */
export const sharedCounterFile = (roots: KernelRoots): string | null => {
  const candidates = [...eventsFiles(roots), join(roots.procRoot, 'vmstat')];
  return candidates.find((file) => countNamed(readText(file) ?? '', 'oom_kill') !== null) ?? null;
};

/** The `memory.events` files that may count for this process, nearest first. */
export const eventsFiles = ({ procRoot, cgroupRoot }: KernelRoots): string[] => {
  const own = ownPath(readText(join(procRoot, 'self/cgroup')) ?? '');
  if (own === '') return [];
  return [cgroupRoot, join(cgroupRoot, 'unified')].flatMap((mount) =>
    pathsUp(own).map((path) => join(mount, path, 'memory.events')),
  );
};
