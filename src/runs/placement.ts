/** Where a run runs (seed 002). `default` is stored as null and means `ORCA_RUNNER`. Pure. */

/** On the scheduler's own machine, within limits that protect what that is there for; also the instance name of such a run's samples. */
export const control = 'control';
const workerPrefix = 'worker:';
const longestPool = 32;

/** What starts a run: `local` and `control` are there; the others wait for theirs. */
export type Runner = 'local' | typeof control | 'ec2' | 'slurm' | 'kube' | 'worker';

/** What `default` may mean here. */
export type DefaultRunner = 'local' | typeof control;

/** Why `pool` can name no pool of workers, as the end of a sentence; null when it can. */
export const poolProblem = (pool: string): string | null =>
  new RegExp(`^[a-z0-9_-]{1,${longestPool}}$`).test(pool)
    ? null
    : `a pool's name has 1 to ${longestPool} characters of a-z, 0-9, - and _`;

/** The pool that a `worker:<pool>` names; null for any other placement. */
export const poolOf = (placement: string | null): string | null =>
  placement?.startsWith(workerPrefix) === true ? placement.slice(workerPrefix.length) : null;

export type PlacementRead =
  { readonly placement: string | null; readonly why: null } | { readonly placement: null; readonly why: string };

/** Reads a `--placement`: what is stored of it, null for `default`; or why it is none. */
export const parsePlacement = (text: string): PlacementRead => {
  if (text === 'default') return { placement: null, why: null };
  const pool = poolOf(text);
  if (pool !== null) {
    const why = poolProblem(pool);
    return why === null ? { placement: text, why } : { placement: null, why };
  }
  if (named(text) !== null) return { placement: text, why: null };
  return { placement: null, why: 'it is one of default, control, worker:<pool>, ec2, slurm, kube' };
};

/** What starts runs of a stored placement. */
export const runnerOf = (placement: string | null, standard: DefaultRunner): Runner =>
  placement === null ? standard : poolOf(placement) === null ? (named(placement) ?? standard) : 'worker';

/** Why no run of this placement can start here as things are; null when its runner is there. */
export const runnerReason = (placement: string | null, standard: DefaultRunner): string | null => {
  switch (runnerOf(placement, standard)) {
    case 'local':
    case control:
      return null;
    case 'worker':
      return `waits for a worker of the pool ${poolOf(placement)}: this orca has no workers`;
    case 'ec2':
    case 'slurm':
    case 'kube':
      return `waits for the runner ${placement}: this orca has none`;
  }
};

const named = (text: string): Exclude<Runner, 'worker' | 'local'> | null => {
  switch (text) {
    case control:
    case 'ec2':
    case 'slurm':
    case 'kube':
      return text;
    default:
      return null;
  }
};
