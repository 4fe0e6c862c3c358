/** What is asked for, and what was accepted. Part of `api.ts`, which says how it travels. */
import type { EnvironmentCapture, InputFile, RetryOn } from '../runs/extras.ts';
import type { OomRules } from '../runs/oom-rules.ts';
import type { RunState } from '../runs/states.ts';

export interface MemoryRequest {
  readonly min_bytes: number;
  readonly max_bytes: number;
}

export type StdinRequest =
  | { readonly kind: 'null' }
  /** Reopened for every start. */
  | { readonly kind: 'file'; readonly path: string }
  /** A file that the client wrote under `<state>/runs/`; the daemon takes it over and deletes it with the run. */
  | { readonly kind: 'spool'; readonly path: string };

export interface SubmitRequest {
  /** Unique for this submission: sending it again after a broken connection gives the same runs. */
  readonly token: string;
  /** One argument list per run, in order. */
  readonly commands: readonly (readonly string[])[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly umask: number;
  readonly name: string | null;
  readonly cpus: number;
  readonly memory: MemoryRequest | null;
  readonly retries: number;
  readonly timeout_ms: number | null;
  readonly priority: number;
  readonly stdin: StdinRequest;
  /** The client owns the runs: they are stopped when it is gone for 10 s. Its wait names the same word. */
  readonly owner: string | null;
  /** Settings of scope `run` whose value is not the default, by environment name. */
  readonly settings: Readonly<Record<string, string>>;
  /** The caller is a process of this run's start, by its `ORCA_START`: the runs work within that start's memory, and do not queue. */
  readonly inside?: { readonly run: number; readonly start: string };
  /** Whole devices; left out: none. */
  readonly gpus?: number;
  /** Names that only one run at a time may hold. */
  readonly locks?: readonly string[];
  /** How much of each counted resource. */
  readonly resources?: Readonly<Record<string, number>>;
  /** What has to be over first. */
  readonly after?: readonly AfterRequest[];
  /** `new`: the runs make a group; a number: they join that one, which the same client made. Left out: no group. */
  readonly group?: 'new' | number;
  /** How many of the group's runs may go on at once. */
  readonly max_parallel?: number;
  /** One for each command: names its piece of work, so that the same key gives the run that is there. */
  readonly keys?: readonly string[];
  /** For how long a key holds after a success, in ms. */
  readonly key_window_ms?: number;
  readonly tags?: readonly string[];
  /** Among whom the machine is shared fairly. */
  readonly submitter?: string | null;
  /** Absolute paths. */
  readonly inputs?: readonly InputFile[];
  readonly retry_on?: RetryOn;
  /** `java`, `node`, or `NAME=FORMAT`. */
  readonly memory_env?: readonly string[];
  /** What `env` is of the caller's environment: all of it if left out. */
  readonly capture?: EnvironmentCapture;
  /** `cpus` was asked for, and not just counted: the starts are told how many threads to use. Left out: where it is not 1. */
  readonly cpus_asked?: boolean;
  /** So many commands follow in further requests: refused at once where there is no room for all of them. */
  readonly more?: number;
  /** Null, and left out: the default one. */
  readonly placement?: string | null;
  /** Where each secret is kept, by the variable that it goes into. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** What counts as a death for memory by the user's word, and which are tried again; what is left out is as usual. */
  readonly oom?: Partial<OomRules>;
}

/** `any`: however it ends; else only after a success. Of a group all runs. */
export type AfterRequest = ({ readonly run: number } | { readonly group: number }) & { readonly any: boolean };

export interface SubmitAnswer {
  /** One for each command, in order; one that is there by its key is among them. */
  readonly runs: readonly number[];
  /** The group that they are in. */
  readonly group?: number | null;
  /** Those that were there already, by their keys. */
  readonly known?: readonly KnownRunJson[];
  /** What whoever submits should know; no reason to refuse. */
  readonly warning?: string;
}

export interface RetryAnswer extends SubmitAnswer {
  /** What the old run came after, and this one does not, since that did not succeed or is gone. */
  readonly not_after?: readonly AfterRequest[];
}

export interface KnownRunJson {
  readonly run: number;
  readonly state: RunState;
  readonly ended_at: number | null;
}

/** The old run's environment is gone with it: the new run gets the caller's. */
export interface RetryRequest {
  readonly token: string;
  /** All of it: the new run gets as much as the old one did (`capture`). */
  readonly env: Readonly<Record<string, string>>;
  /** Set over that. */
  readonly set?: Readonly<Record<string, string>>;
  /** Left out: as the old run's. */
  readonly submitter?: string | null;
  /** As in a submission, with the old run's `max_parallel`. */
  readonly group?: 'new' | number;
  /** Runs and groups that were retried before, and by which: what came after them comes after those. */
  readonly instead?: readonly { readonly run?: number; readonly group?: number; readonly by: number }[];
}

/** Several at once, all of them or none: each is a run like that of a RetryRequest. */
export interface RetryRunsRequest extends Omit<RetryRequest, 'group'> {
  /** In this order. `of`: the group that it is of; those of one make a group again. A group that `instead` has is joined. */
  readonly runs: readonly { readonly run: number; readonly of: number | null }[];
  /** These follow in further requests: refused at once where one of them cannot be tried again. */
  readonly more?: readonly number[];
}

export interface RetryRunsAnswer extends SubmitAnswer {
  /** The groups that were made, or joined. */
  readonly groups?: readonly { readonly of: number; readonly group: number }[];
  /** Of new runs, what those that they stand for came after, and they do not, since that did not succeed or is gone. */
  readonly not_after?: readonly { readonly run: number; readonly after: readonly AfterRequest[] }[];
}
