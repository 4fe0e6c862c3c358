import { readCgroupUse } from '../machine/cgroup-use.ts';
import { containerUses } from '../machine/container-use.ts';
import { wholeDisks } from '../machine/disk-counters.ts';
import { diskSpaces } from '../machine/disk-space.ts';
import { readHostCounters } from '../machine/host-counters.ts';
import { readProcUnits } from '../machine/proc-units.ts';
import { PidStatReader } from '../machine/pid-stat-reader.ts';
import { readPidStat } from '../machine/read-pid-stats.ts';
import { isRunning, runRss } from '../machine/run-memory.ts';
import type { RunLook } from './sample-line.ts';
import type { SampleSource } from './sampler.ts';

/** What a sampler was asked to look at. */
export interface Wanted {
  readonly pid: number | null;
  readonly match: string | null;
  readonly folders: readonly string[];
  /** A `/sys/fs/cgroup` with Docker's containers; null: none are looked for. */
  readonly cgroup: string | null;
  readonly names: string | null;
}

/** The machine and process that the sampler runs in. */
export interface SourceHost {
  readonly host: string;
  readonly cores: number;
  /** Milliseconds of a clock that is never set. */
  readonly now: () => number;
  /** Milliseconds since the epoch. */
  readonly time: () => number;
  /** CPU seconds that this process has used. */
  readonly selfCpu: () => number;
}

export interface LinuxRoots {
  readonly procRoot: string;
  readonly sysRoot: string;
  readonly cgroupRoot: string;
}

/** Reads a Linux machine, and the run in it. The process is known by its start time as well, from now on. */
export const linuxSource = (wanted: Wanted, host: SourceHost, roots: LinuxRoots): SampleSource => {
  const { procRoot, sysRoot } = roots;
  const disks = wholeDisks(sysRoot);
  const units = readProcUnits(procRoot);
  const processes = new PidStatReader(procRoot);
  const root = wanted.pid === null ? null : readPidStat(procRoot, wanted.pid);
  const containers = wanted.cgroup === null ? null : containerUses(wanted.cgroup, wanted.names);
  const run = { root, command: wanted.match };
  const hasEnded = (): boolean =>
    wanted.pid !== null && (root === null || !isRunning(readPidStat(procRoot, wanted.pid), root));
  const lookAtRun = (): RunLook => ({
    rss: root === null && wanted.match === null ? 0 : runRss(procRoot, run, processes.read(), units.pageBytes),
    containers: containers === null ? null : containers(),
    cgroup: hasEnded() ? null : readCgroupUse(roots, wanted.pid ?? 'self'),
    selfCpu: host.selfCpu(),
  });
  return {
    host: host.host,
    cores: host.cores,
    look: async () => ({
      host: {
        at: host.now(),
        time: host.time(),
        counters: readHostCounters(procRoot, disks),
        disks: diskSpaces(wanted.folders),
      },
      run: lookAtRun(),
    }),
    hasEnded,
    close: () => processes[Symbol.dispose](),
  };
};
