import { basename, join } from 'node:path';
import type { CgroupFs } from './cgroup-fs.ts';
import { parseRunName } from './run-name.ts';

/**
 * Removes a run's cgroup, with what the run made in it, once no process is left there; whether it is gone
 * (seed 000: Cgroups.remove). Anything that is not named as a run's cgroup stays.
 */
export const removeCgroup = (fs: CgroupFs, path: string): boolean =>
  parseRunName(basename(path)) !== null && removeTree(fs, path);

const removeTree = (fs: CgroupFs, path: string): boolean => {
  const first = fs.rmdir(path);
  if (first === null || first === 'ENOENT') return true;
  // A folder with cgroups in it is EBUSY, as one with processes is.
  const inner = fs.folders(path) ?? [];
  if (inner.length === 0 || !inner.every((name) => removeTree(fs, join(path, name)))) return false;
  const again = fs.rmdir(path);
  return again === null || again === 'ENOENT';
};
