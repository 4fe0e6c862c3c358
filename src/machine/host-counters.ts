import { readCpuTimes, type CpuReading } from './cpu-times.ts';
import { readDiskCounters } from './disk-counters.ts';
import { readHostPressure, type HostPressure } from './host-pressure.ts';
import { readLoadAverage } from './load-average.ts';
import { readMemoryUse, type MemoryUse } from './memory-use.ts';
import { readNetCounters } from './net-counters.ts';
import type { Counters } from './traffic.ts';

/** One look at a machine: what samples are the difference of. */
export interface HostCounters {
  readonly cpu: CpuReading;
  readonly memory: MemoryUse | null;
  /** Read and written, by whole disk; null where it is not known. */
  readonly io: Counters | null;
  readonly net: Counters;
  readonly load: readonly number[] | null;
  readonly pressure: HostPressure | null;
}

/** Linux's, from `/proc`; `disks` as `wholeDisks` gives them. */
export const readHostCounters = (procRoot: string, disks: readonly string[]): HostCounters => ({
  cpu: readCpuTimes(procRoot),
  memory: readMemoryUse(procRoot),
  io: readDiskCounters(procRoot, disks),
  net: readNetCounters(procRoot),
  load: readLoadAverage(procRoot),
  pressure: readHostPressure(procRoot),
});
