import type { CpuTimes } from '../../../src/machine/cpu-times.ts';
import type { HostCounters } from '../../../src/machine/host-counters.ts';
import type { HostLook, RunLook } from '../../../src/sample/sample-line.ts';

const times = (busy: number): CpuTimes => ({ user: busy, system: 0, idle: 100, iowait: 0, steal: 0 });

export const counters = (changes: Partial<HostCounters> = {}): HostCounters => ({
  cpu: new Map([
    ['cpu', times(0)],
    ['cpu0', times(0)],
    ['cpu1', times(0)],
  ]),
  memory: { total: 1000, used: 400, available: 600, cache: 300, swapTotal: 80, swapUsed: 50 },
  io: new Map([['vda', { in: 0, out: 0 }]]),
  net: new Map([['eth0', { in: 0, out: 0 }]]),
  load: [0.5, 0.25, 0.125],
  pressure: null,
  ...changes,
});

export const look = (at: number, changes: Partial<HostCounters> = {}, time = 1762250000123 + at): HostLook => ({
  at,
  time,
  counters: counters(changes),
  disks: [{ path: '/tmp', total: 100, used: 60, free: 30 }],
});

export const run = (changes: Partial<RunLook> = {}): RunLook => ({
  rss: 77,
  containers: null,
  cgroup: null,
  selfCpu: 0.42,
  ...changes,
});
