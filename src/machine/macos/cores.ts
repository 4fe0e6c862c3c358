import type { CpuInfo } from 'node:os';
import type { CpuReading, CpuTimes } from '../cpu-times.ts';

/** What Node tells of the cores, as a reading; macOS counts neither iowait nor steal, so both are 0. */
export const cpuReadingOf = (cores: readonly Pick<CpuInfo, 'times'>[]): CpuReading => {
  const all = { user: 0, system: 0, idle: 0, iowait: 0, steal: 0 };
  const reading = new Map<string, CpuTimes>([['cpu', all]]);
  for (const [core, { times }] of cores.entries()) {
    const own = { user: times.user + times.nice, system: times.sys + times.irq, idle: times.idle, iowait: 0, steal: 0 };
    reading.set(`cpu${core}`, own);
    all.user += own.user;
    all.system += own.system;
    all.idle += own.idle;
  }
  return reading;
};
