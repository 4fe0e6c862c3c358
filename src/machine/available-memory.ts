import { join } from 'node:path';
import { ownPath, ownPathV1, pathsUp } from './own-path.ts';
import { countNamed } from './memory-events.ts';
import { parseBytes } from './parse-bytes.ts';
import { parseLimit, isOwnCeiling } from './memory-limit.ts';
import { readMemoryUse } from './memory-use.ts';
import { readText } from './read-text.ts';
import type { KernelRoots } from './shared-counter.ts';

/**
 * What new work can get without swapping, in bytes: what the machine has available or, where one leaves less, what is left below the memory limit of this
 * process's cgroup or one above it; null when neither can be read. Page cache that has not been used lately counts as free, as the kernel counts it for the
 * machine. A ceiling of orca's own on `base` is no such limit.
 */
export const readAvailable = (roots: KernelRoots, base: string | null): number | null => {
  const machine = readMemoryUse(roots.procRoot)?.available ?? null;
  const left = groups(roots).flatMap((group) => leftBelow(group, base) ?? []);
  const all = machine === null ? left : [machine, ...left];
  return all.length === 0 ? null : Math.max(0, Math.min(...all));
};

interface Group {
  readonly folder: string;
  readonly names: typeof v2 | typeof v1;
}

const v2 = { limit: 'memory.max', current: 'memory.current', cache: ['inactive_file', 'active_file'] } as const;
const v1 = {
  limit: 'memory.limit_in_bytes',
  current: 'memory.usage_in_bytes',
  cache: ['total_inactive_file', 'total_active_file'],
} as const;

const groups = ({ procRoot, cgroupRoot }: KernelRoots): Group[] => {
  const text = readText(join(procRoot, 'self/cgroup')) ?? '';
  const here = (path: string, root: string, names: Group['names']): Group[] =>
    path === '' ? [] : pathsUp(path).map((at) => ({ folder: join(root, at), names }));
  return [...here(ownPath(text), cgroupRoot, v2), ...here(ownPathV1(text, 'memory'), join(cgroupRoot, 'memory'), v1)];
};

const leftBelow = ({ folder, names }: Group, base: string | null): number | null => {
  const file = join(folder, names.limit);
  const limit = parseLimit(readText(file) ?? '');
  if (typeof limit !== 'number' || limit === 0 || isOwnCeiling(file, limit, base)) return null;
  const current = parseBytes(readText(join(folder, names.current)));
  if (current === null) return null;
  const stat = readText(join(folder, 'memory.stat')) ?? '';
  const [inactive, active] = names.cache.map((name) => Number(countNamed(stat, name) ?? 0n));
  // Of the cache in use half counts, about as the kernel's own estimate has it: the rest would be read again at once.
  return limit - Math.max(0, current - (inactive ?? 0) - Math.floor((active ?? 0) / 2));
};
