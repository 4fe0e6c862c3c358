import type { CgroupUse } from '../machine/cgroup-use.ts';
import type { ContainerUse } from '../machine/container-use.ts';
import { cpuShare, type CpuShare } from '../machine/cpu-share.ts';
import { coresIn } from '../machine/cpu-times.ts';
import type { DiskSpace } from '../machine/disk-space.ts';
import type { HostCounters } from '../machine/host-counters.ts';
import type { HostPressure } from '../machine/host-pressure.ts';
import { perSecond } from '../machine/traffic.ts';

/** One look at a machine. Samples of several runs may be made of the same two looks. */
export interface HostLook {
  /** Milliseconds of a clock that is never set. */
  readonly at: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly counters: HostCounters;
  readonly disks: readonly DiskSpace[];
}

/** What is one run's own, or one sampler's, in a sample. */
export interface RunLook {
  /** Resident bytes of the run's processes. */
  readonly rss: number;
  /** Null: not asked for. */
  readonly containers: readonly ContainerUse[] | null;
  /** The run's own; null where it has none. */
  readonly cgroup: CgroupUse | null;
  /** CPU seconds that the sampler itself has used. */
  readonly selfCpu: number;
}

/** A line of samples (seed 001); `load`, `psi` and `cgroup` are ours. Readers pass over keys that they do not know. */
export interface SampleLine {
  readonly v: 1;
  readonly t: number;
  readonly dt: number;
  readonly host: string;
  readonly cores: number;
  readonly cpu: CpuShare;
  /** Null where the machine does not tell. */
  readonly mem: Readonly<Record<MemoryKey, number | null>> & { readonly rss: number };
  readonly disk: readonly DiskSpace[];
  readonly io: { readonly read: number; readonly write: number } | null;
  readonly net: { readonly in: number; readonly out: number };
  readonly containers?: readonly ContainerUse[];
  readonly self_cpu: number;
  readonly load: readonly number[] | null;
  readonly psi: HostPressure | null;
  readonly cgroup: CgroupUse | null;
}

type MemoryKey = 'total' | 'used' | 'available' | 'cache' | 'swap_total' | 'swap_used';

/** The line that covers the time between two looks. */
export const sampleLine = (
  machine: { readonly host: string; readonly cores: number },
  before: HostLook,
  now: HostLook,
  run: RunLook,
): SampleLine => {
  const seconds = Math.max(0.001, (now.at - before.at) / 1000);
  const { cpu, memory, io, net, load, pressure } = now.counters;
  const flow = io === null || before.counters.io === null ? null : perSecond(before.counters.io, io, seconds);
  return {
    v: 1,
    t: Math.round(now.time) / 1000,
    dt: thousandths(seconds),
    host: machine.host,
    cores: coresIn(cpu) || machine.cores,
    cpu: cpuShare(before.counters.cpu, cpu),
    mem: {
      total: memory?.total ?? null,
      used: memory?.used ?? null,
      available: memory?.available ?? null,
      cache: memory?.cache ?? null,
      swap_total: memory?.swapTotal ?? null,
      swap_used: memory?.swapUsed ?? null,
      rss: run.rss,
    },
    disk: now.disks,
    io: flow === null ? null : { read: flow.in, write: flow.out },
    net: perSecond(before.counters.net, net, seconds),
    ...(run.containers === null ? {} : { containers: run.containers }),
    self_cpu: thousandths(run.selfCpu),
    load,
    psi: pressure,
    cgroup: run.cgroup,
  };
};

const thousandths = (x: number): number => Math.round(x * 1000) / 1000;
