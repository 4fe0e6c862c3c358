import { availableParallelism, totalmem } from 'node:os';
import { bytes, type Bytes } from '../units/brands.ts';
import { readCpuQuota } from './cpu-quota.ts';
import { memoryLimit } from './memory-limit.ts';
import type { KernelRoots } from './shared-counter.ts';

export interface Capacity {
  readonly cpus: number;
  readonly memoryBytes: Bytes;
}

/** What the system says it has. `availableParallelism` knows affinity and cgroup CPU quotas, on macOS too. */
export const systemCapacity = (): Capacity => ({ cpus: availableParallelism(), memoryBytes: bytes(totalmem()) });

/**
 * What runs may use here: the system's, within the memory limit and the cpu quota of the container or slice that we are in. `base` is the
 * cgroup whose own ceiling, which a daemon set, is not such a limit; null without one.
 */
export const machineCapacity = (
  roots: KernelRoots,
  base: string | null,
  system: Capacity = systemCapacity(),
): Capacity => {
  const limit = memoryLimit(roots, base);
  const quota = readCpuQuota(roots);
  return {
    // Whole cores, as Node counts a quota, and one at the least: a run asks for no less.
    cpus: quota === null ? system.cpus : Math.min(system.cpus, Math.max(1, Math.floor(quota))),
    // A limit of 0 is written while a container is being taken down; nothing could run in it.
    memoryBytes: limit === null || limit === 0 || limit > system.memoryBytes ? system.memoryBytes : bytes(limit),
  };
};
