/** What is kept, and what is deleted. Part of `api.ts`, which says how it travels. */
import type { RunState } from '../runs/states.ts';

/** Runs that ended so long ago, but for the newest `keep` of those that are over; with neither, what the settings say. */
export interface GcRequest {
  readonly older_than_ms?: number;
  readonly keep?: number;
  /** Only say what would be deleted. */
  readonly dry_run?: boolean;
}

export interface GcAnswer {
  /** Runs that are gone, with their logs and samples. */
  readonly runs: number;
  /** Runs whose logs and samples alone are gone. */
  readonly logs: number;
  /** Of logs and samples. */
  readonly bytes: number;
  /** Runs that stay though the rule says otherwise: unfinished runs or a key need them. */
  readonly kept: number;
  /** Runs that stay because something of them could not be deleted; it is tried again within an hour. A daemon before 0.3 counts them among `kept`. */
  readonly failed?: number;
  readonly dry_run: boolean;
}

/** What orca has on disk. */
export interface DiskUseJson {
  readonly state: string;
  readonly logs_folder: string;
  /** On this machine. */
  readonly logs_bytes: number;
  /** Where logs go when their starts are over; null: they stay. A daemon before 0.3 does not say it. */
  readonly logs_to?: string | null;
  /** Of the runs and of the machine. */
  readonly samples_bytes: number;
  /** Null: it is in PostgreSQL. */
  readonly store_bytes: number | null;
  /** Environments and inputs of runs that are not over. */
  readonly runs_bytes: number;
  /** Records of their keepers. */
  readonly starts_bytes: number;
  readonly daemon_log_bytes: number;
  /** How many runs have logs. */
  readonly log_folders: number;
  /** By their logs and samples, at most ten; `state` null: the store does not know it. */
  readonly largest: readonly { readonly run: number; readonly bytes: number; readonly state: RunState | null }[];
}

/** Whether anything was known of the run's command. */
export interface ForgetAnswer {
  readonly known: boolean;
}
