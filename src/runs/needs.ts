import type { RunId } from '../units/brands.ts';

/** What a run has to wait for before it may start: a run, or all of a group. */
export type After = { readonly run: RunId; readonly any: boolean } | { readonly group: number; readonly any: boolean };

/** What a run needs at its start, besides cpus and memory. */
export interface Needs {
  /** Whole devices. */
  readonly gpus: number;
  /** Names that only one run at a time may hold. */
  readonly locks: readonly string[];
  /** How much of each counted resource (`[resources]` in config.toml). */
  readonly resources: Readonly<Record<string, number>>;
  /** `any`: however they ended; else only after a success. */
  readonly after: readonly After[];
  /** How many runs of its group may go on at once; null: as many as fit. */
  readonly max_parallel: number | null;
}

export const noNeeds: Needs = { gpus: 0, locks: [], resources: {}, after: [], max_parallel: null };
