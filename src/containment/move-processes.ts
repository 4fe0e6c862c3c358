import { join } from 'node:path';
import type { CgroupFs } from './cgroup-fs.ts';

export interface Moved {
  /** Still there: the kernel did not take them now. */
  readonly left: number;
  /** Of another pid namespace, listed as 0: they have no number that could be written. */
  readonly foreign: number;
  /** The code of a refusal that no further try will change. */
  readonly denied: string | null;
}

/**
 * Moves every process that `from` lists into `to`, once. One that has ended meanwhile (ESRCH) is no loss, and a thread of
 * the kernel (EINVAL) stays where it is.
 */
export const moveProcesses = (fs: CgroupFs, from: string, to: string): Moved => {
  const target = join(to, 'cgroup.procs');
  let left = 0;
  let foreign = 0;
  for (const pid of (fs.read(join(from, 'cgroup.procs')) ?? '').split('\n')) {
    if (pid === '0') foreign += 1;
    if (!/^[1-9]\d*$/.test(pid)) continue;
    const code = fs.write(target, pid);
    if (code === null || code === 'ESRCH' || code === 'EINVAL') continue;
    if (code !== 'EBUSY' && code !== 'EAGAIN') return { left, foreign, denied: code };
    left += 1;
  }
  return { left, foreign, denied: null };
};
