import { realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A program that a daemon may be: its version, when it was built, and the file to execute. */
export interface Program {
  readonly version: string;
  readonly builtAt: number;
  readonly entry: string;
}

/** `<version> <build time, ms> <entry file>`, as the header `orca-program` has it; null when it is not that. */
export const parseProgram = (header: string): Program | null => {
  const match = /^(\d+\.\d+\.\d+\S*) (\d+) (\/.+)$/.exec(header);
  const [, version, builtAt, entry] = match ?? [];
  return version === undefined || builtAt === undefined || entry === undefined
    ? null
    : { version, builtAt: Number(builtAt), entry: decoded(entry) };
};

const decoded = (entry: string): string => {
  try {
    return decodeURI(entry);
  } catch {
    return entry;
  }
};

/** Whether `other` should take over from `own`: a higher version, or a later build of the same one. */
export const isNewer = (other: Program, own: Program): boolean => {
  if (other.entry === own.entry) return false;
  const versions = compareVersions(other.version, own.version);
  return versions > 0 || (versions === 0 && other.builtAt > own.builtAt);
};

const compareVersions = (a: string, b: string): number => {
  const numbers = (version: string): number[] => version.split(/[.-]/).slice(0, 3).map(Number);
  const [left, right] = [numbers(a), numbers(b)];
  for (const [index, number] of left.entries()) {
    const difference = number - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
};

/** Notices that a newer program should run this daemon, and says which, once. */
export class Handover {
  readonly #own: Program;
  readonly #begin: (to: Program) => void;
  #begun = false;

  constructor(own: Program, begin: (to: Program) => void) {
    this.#own = own;
    this.#begin = begin;
  }

  /** Called after each request with the client's program. */
  consider(header: string | undefined): void {
    if (this.#begun) return;
    const offered = header === undefined ? null : parseProgram(header);
    const next =
      offered !== null && isNewer(offered, this.#own) && exists(offered.entry) ? offered : this.#replacement();
    if (next === null) return;
    this.#begun = true;
    this.#begin(next);
  }

  /** The build that `dist/current` leads to, when it is no longer the one that runs. */
  #replacement(): Program | null {
    const link = join(dirname(dirname(this.#own.entry)), 'current');
    try {
      const entry = join(realpathSync(link), 'main.js');
      if (entry === this.#own.entry) return null;
      const builtAt = statSync(entry).mtimeMs;
      return builtAt > this.#own.builtAt ? { version: this.#own.version, builtAt, entry } : null;
    } catch {
      // Not a checkout: an installed package has no such link.
      return null;
    }
  }
}

const exists = (file: string): boolean => {
  try {
    return statSync(file).isFile();
  } catch {
    return false;
  }
};
