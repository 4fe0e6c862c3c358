/** What every run's cgroup's name begins with (seed 000: RUN_PREFIX). */
export const runPrefix = 'orca-run-';

export interface RunName {
  readonly run: number;
  readonly start: number;
  /** The pid of the daemon that made it. */
  readonly owner: number;
}

/** The name of a start's cgroup: its run, its start, its maker's pid (seed 000: run_name). */
export const runName = ({ run, start, owner }: RunName): string => `${runPrefix}${run}-${start}-${owner}`;

/** The numbers in a run cgroup's name; null for another name. */
export const parseRunName = (name: string): RunName | null => {
  const [, run, start, owner] = /^orca-run-([1-9]\d{0,15})-([1-9]\d{0,15})-([1-9]\d{0,15})$/.exec(name) ?? [];
  return run === undefined ? null : { run: Number(run), start: Number(start), owner: Number(owner) };
};

/** The pid in a run cgroup's name; null, the seed's -1, for another name (seed 000: owner_of). */
export const ownerOf = (name: string): number | null => parseRunName(name)?.owner ?? null;
