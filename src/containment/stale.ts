import { join } from 'node:path';
import type { CgroupFs } from './cgroup-fs.ts';
import { ownerOf } from './run-name.ts';

export interface StaleQuestion {
  /** Names of the folders in the base. */
  readonly names: readonly string[];
  /** This daemon's pid: in a container an earlier life of it had the same. */
  readonly ownPid: number;
  readonly isAlive: (pid: number) => boolean;
  /** Names of the cgroups that starts which are not over name: those stay, whoever made them. */
  readonly inUse: ReadonlySet<string>;
}

/** The runs' cgroups that nobody answers for any more, to be removed once empty (seed 000: Cgroups.stale). */
export const staleNames = ({ names, ownPid, isAlive, inUse }: StaleQuestion): string[] =>
  names.filter((name) => {
    const owner = ownerOf(name);
    return owner !== null && !inUse.has(name) && (owner === ownPid || !isAlive(owner));
  });

/** Paths of the stale cgroups of `base`. */
export const staleCgroups = (fs: CgroupFs, base: string, question: Omit<StaleQuestion, 'names'>): string[] =>
  staleNames({ ...question, names: fs.folders(base) ?? [] }).map((name) => join(base, name));
