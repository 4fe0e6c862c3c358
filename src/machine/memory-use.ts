import { readMeminfo } from './meminfo.ts';

/** A machine's memory in bytes (seed 001: Mem). */
export interface MemoryUse {
  readonly total: number;
  /** Exactly the total less what is available. */
  readonly used: number;
  readonly available: number;
  /** The page cache: pages that a file stands behind. */
  readonly cache: number;
  readonly swapTotal: number;
  readonly swapUsed: number;
}

/** From `/proc/meminfo`'s sizes; null when not even the total is among them. */
export const memoryUse = (sizes: ReadonlyMap<string, number>): MemoryUse | null => {
  const total = sizes.get('MemTotal');
  if (total === undefined) return null;
  const of = (name: string): number => sizes.get(name) ?? 0;
  // `Cached` counts shared memory and tmpfs too, which no file on a disk stands behind.
  const cache = Math.max(0, of('Buffers') + of('Cached') - of('Shmem'));
  // Kernels before 3.14 do not say what is available.
  const available = Math.min(total, sizes.get('MemAvailable') ?? of('MemFree') + cache);
  const swapTotal = of('SwapTotal');
  return {
    total,
    used: total - available,
    available,
    cache,
    swapTotal,
    swapUsed: Math.max(0, swapTotal - of('SwapFree')),
  };
};

export const readMemoryUse = (procRoot: string): MemoryUse | null => memoryUse(readMeminfo(procRoot));
