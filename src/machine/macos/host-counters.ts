import { cpus, loadavg, totalmem } from 'node:os';
import type { HostCounters } from '../host-counters.ts';
import { cpuReadingOf } from './cores.ts';
import { parseNetstat } from './netstat.ts';
import { parseVmStat } from './vm-stat.ts';

/** Runs a command of the system and gives what it printed; empty when that failed. */
export type Printed = (file: string, args: readonly string[]) => Promise<string>;

/** One look at a macOS machine; it tells no bytes of disks and no pressure. */
export const readMacCounters = async (printed: Printed): Promise<HostCounters> => {
  const [vmStat, swap, netstat] = await Promise.all([
    printed('vm_stat', []),
    printed('sysctl', ['-n', 'vm.swapusage']),
    printed('netstat', ['-ibn']),
  ]);
  return {
    cpu: cpuReadingOf(cpus()),
    memory: parseVmStat(vmStat, swap, totalmem()),
    io: null,
    net: parseNetstat(netstat),
    load: loadavg(),
    pressure: null,
  };
};
