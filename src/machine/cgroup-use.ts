import { join } from 'node:path';
import { parseLimit } from './memory-limit.ts';
import { ownPath } from './own-path.ts';
import { parseBytes } from './parse-bytes.ts';
import { avg10Of } from './pressure.ts';
import { readText } from './read-text.ts';
import type { KernelRoots } from './shared-counter.ts';

/** How a cgroup stands with its memory; bytes and percent. */
export interface CgroupUse {
  readonly current: number;
  /** `memory.high`, else `memory.max`; null for none. */
  readonly limit: number | null;
  /** Percent of the last 10 s that all of it waited for memory; null on a kernel that does not say. */
  readonly full: number | null;
}

/** The cgroup v2 that a process is in (`self` for ourselves); null where it has none, or one without the memory controller. */
export const readCgroupUse = ({ procRoot, cgroupRoot }: KernelRoots, pid: number | 'self'): CgroupUse | null => {
  const path = ownPath(readText(`${procRoot}/${pid}/cgroup`) ?? '');
  if (path === '' || path.split('/').includes('..')) return null;
  for (const folder of [join(cgroupRoot, path), join(cgroupRoot, 'unified', path)]) {
    const current = parseBytes(readText(join(folder, 'memory.current')));
    if (current === null) continue;
    const limits = ['memory.high', 'memory.max'].map((file) => parseLimit(readText(join(folder, file)) ?? ''));
    const limit = limits.find((value): value is number => typeof value === 'number') ?? null;
    return { current, limit, full: avg10Of(readText(join(folder, 'memory.pressure')) ?? '', 'full') };
  }
  return null;
};
