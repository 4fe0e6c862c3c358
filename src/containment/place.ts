import { parseRunName } from './run-name.ts';

/** The cgroup that the daemon moves itself into, so that the one above may hold the runs' (seed 000: LEAF). */
export const leafName = 'orca';

/** Where a process stands, seen from the cgroup that runs' cgroups go in. */
export interface Place {
  /** That cgroup, as `/proc/self/cgroup` names it. */
  readonly base: string;
  readonly inside: 'base' | 'leaf' | 'run';
}

/** A daemon in its leaf has been set up before; one in a run's cgroup belongs beside that run, not into it. */
export const placeOf = (own: string): Place => {
  const parts = own.split('/').filter((part) => part !== '');
  const run = parts.findIndex((part) => parseRunName(part) !== null);
  if (run !== -1) return { base: `/${parts.slice(0, run).join('/')}`, inside: 'run' };
  if (parts.at(-1) === leafName) return { base: `/${parts.slice(0, -1).join('/')}`, inside: 'leaf' };
  return { base: own, inside: 'base' };
};
