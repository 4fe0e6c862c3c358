import type { CpuReading, CpuTimes } from './cpu-times.ts';
import { tenths } from './tenths.ts';

/** Percent of the time of all cores, to a tenth (seed 001: CpuShare). */
export interface CpuShare {
  readonly user: number;
  readonly system: number;
  readonly iowait: number;
  readonly steal: number;
  /** The busiest core's, with what was stolen from it; never below all cores' mean. */
  readonly busiest: number;
}

/**
 * What the cores did between two readings. A count that went back (the kernel's iowait does, and so does a core that left) counts as no time;
 * a core that is in one reading only is passed over. All 0 where nothing can be said.
 */
export const cpuShare = (before: CpuReading, now: CpuReading): CpuShare => {
  const all = spent(before.get('cpu'), now.get('cpu'));
  const [user, system] = [percent(all.user, all), percent(all.system, all)];
  const [iowait, steal] = [percent(all.iowait, all), percent(all.steal, all)];
  let busiest = user + system + steal;
  for (const [name, times] of now) {
    if (name === 'cpu') continue;
    const core = spent(before.get(name), times);
    busiest = Math.max(busiest, percent(core.user + core.system + core.steal, core));
  }
  return { user, system, iowait, steal, busiest: Math.min(100, tenths(busiest)) };
};

const nothing: CpuTimes = { user: 0, system: 0, idle: 0, iowait: 0, steal: 0 };

const spent = (before: CpuTimes | undefined, now: CpuTimes | undefined): CpuTimes =>
  before === undefined || now === undefined
    ? nothing
    : {
        user: Math.max(0, now.user - before.user),
        system: Math.max(0, now.system - before.system),
        idle: Math.max(0, now.idle - before.idle),
        iowait: Math.max(0, now.iowait - before.iowait),
        steal: Math.max(0, now.steal - before.steal),
      };

const percent = (part: number, { user, system, idle, iowait, steal }: CpuTimes): number => {
  const whole = user + system + idle + iowait + steal;
  return whole > 0 ? tenths((100 * part) / whole) : 0;
};
