import { diskSpaces } from '../machine/disk-space.ts';
import { readMacCounters, type Printed } from '../machine/macos/host-counters.ts';
import { parsePs, treeRssOf, type MacProcess } from '../machine/macos/processes.ts';
import type { SourceHost, Wanted } from './linux-source.ts';
import type { SampleSource } from './sampler.ts';

/** Reads a macOS machine by what its own commands print; `lives` asks for a process without one. No containers, cgroups or `--match`. */
export const macSource = (
  wanted: Wanted,
  host: SourceHost,
  printed: Printed,
  lives: (pid: number) => boolean,
): SampleSource => {
  const watched = new MacRun(wanted.pid);
  return {
    host: host.host,
    cores: host.cores,
    look: async () => {
      const ps = wanted.pid === null ? '' : await printed('ps', ['-axo', 'pid=,ppid=,rss=,stat=,lstart=']);
      const counters = await readMacCounters(printed);
      return {
        host: { at: host.now(), time: host.time(), counters, disks: diskSpaces(wanted.folders) },
        run: { rss: watched.rss(parsePs(ps)), containers: null, cgroup: null, selfCpu: host.selfCpu() },
      };
    },
    hasEnded: () => wanted.pid !== null && (watched.isGone || !lives(wanted.pid)),
    close: () => undefined,
  };
};

/** The process that is watched, as the lists of processes show it. */
class MacRun {
  readonly #pid: number | null;
  #first: MacProcess | null = null;
  isGone = false;

  constructor(pid: number | null) {
    this.#pid = pid;
  }

  /** Resident bytes of its tree in this list; 0 once it has ended, or another process has its pid. */
  rss(processes: readonly MacProcess[]): number {
    if (this.#pid === null || this.isGone) return 0;
    const now = processes.find(({ pid }) => pid === this.#pid);
    this.#first ??= now ?? null;
    // An empty list is a `ps` that failed, and says nothing.
    this.isGone = processes.length > 0 && (now === undefined || now.zombie || now.started !== this.#first?.started);
    return this.isGone ? 0 : treeRssOf(processes, this.#pid);
  }
}
