/** One value for one file of a cgroup. A kernel that lacks a file which is not required still contains the run. */
export interface CgroupFile {
  readonly file: string;
  readonly value: string;
  readonly required: boolean;
}

export interface RunLimits {
  /** `memory.high`. */
  readonly limitBytes: number;
  /** `memory.max`: the limit plus the margin. */
  readonly killAtBytes: number;
  /** `ORCA_OOM_GROUP`: an out-of-memory kill takes the whole run. */
  readonly oomGroup: boolean;
  /** `cpu.weight`, 1 to 10000; null leaves the kernel's 100. */
  readonly cpuWeight: number | null;
}

/** A run's share of a busy CPU beside the daemon's and other programs' 100: it yields, and has all of an idle one. */
export const runCpuWeight = 50;

/** What a start's cgroup is told (seed 000; design: Memory 2). Documentation/admin-guide/cgroup-v2.rst has the files. */
export const memoryFiles = ({ limitBytes, killAtBytes, oomGroup, cpuWeight }: RunLimits): readonly CgroupFile[] => [
  { file: 'memory.high', value: String(limitBytes), required: true },
  { file: 'memory.max', value: String(killAtBytes), required: true },
  // Since 4.19.
  { file: 'memory.oom.group', value: oomGroup ? '1' : '0', required: false },
  // A kernel without swap does not have it, nor needs it: the limit is one of memory, not of memory and swap.
  { file: 'memory.swap.max', value: '0', required: false },
  // Only where the CPU controller is given to us.
  ...(cpuWeight === null ? [] : [{ file: 'cpu.weight', value: String(cpuWeight), required: false }]),
];
