/** The daemon and its settings, and errors. Part of `api.ts`, which says how it travels. */
import type { PausedJson } from './choosing.ts';

/** Raised when a shape changes its meaning; additions do not. */
export const apiNumber = 1;

export interface ErrorJson {
  readonly error: { readonly code: string; readonly message: string; readonly hint: string; readonly exit: number };
}

export interface DaemonJson {
  readonly pid: number;
  readonly version: string;
  readonly api: number;
  /** The program file it runs. */
  readonly program: string;
  readonly state: string;
  readonly started_at: number;
  /** `native` or `sh`, and why it is the latter. */
  readonly keeper: { readonly kind: 'native' | 'sh'; readonly why: string | null };
  /** Whether runs get cgroups of their own; else why not, and the one step that would change it. */
  readonly containment: {
    readonly on: boolean;
    readonly why: string;
    readonly advice: string | null;
    /** What all runs together may have; null where nothing sees to it. */
    readonly ceiling_bytes: number | null;
    readonly ceiling_why: string | null;
  };
  /** What a death for memory can be told by, besides a run's own cgroup; a daemon before 0.2 does not say it. */
  readonly evidence?: {
    readonly kernel_log: 'readable' | 'pid-namespace' | 'absent' | 'denied';
    /** The file of the counter that all programs share. */
    readonly shared_counter: string | null;
  };
  /** How often running starts are measured; `slowed` while a look at all processes is too dear for `ORCA_USAGE_INTERVAL_MS`. A daemon before 0.2 does not say it. */
  readonly usage?: { readonly interval_ms: number; readonly slowed: boolean };
  /** The devices that runs may be given, and what is wrong with them; a daemon before 0.3 does not say it. */
  readonly gpus?: { readonly devices: readonly GpuJson[]; readonly trouble: string | null };
  /** What `[resources]` in config.toml counts, and how much of it runs have; a daemon before 0.3 does not say it. */
  readonly resources?: readonly { readonly name: string; readonly count: number; readonly held: number }[];
  /** What other daemons on this machine have promised to their runs; a daemon before 0.3 does not say it. */
  readonly others?: readonly { readonly user: string; readonly bytes: number }[];
  /** Where logs go when their starts are over, where that is an object storage; of how many runs they wait here, and what keeps which of them. A daemon before 0.3 does not say it. */
  readonly logs?: {
    readonly to: string | null;
    readonly waiting: number;
    /** What keeps how many runs' logs here: why, since when, and where they go, which may be where an earlier setting said; null: not known. */
    readonly troubles: readonly {
      readonly to: string | null;
      readonly why: string;
      readonly since: number;
      readonly runs: number;
    }[];
  };
  /** Where the outputs of runs with secrets and on control go first, whether it has no room for further ones, and what waits there; a daemon before 0.2 does not say it. */
  readonly stage?: StageJson;
  /** True after `orca down`: nothing is started until `orca up`. */
  readonly down: boolean;
  /** A person holds the whole queue back; a daemon before 0.2 does not say it. */
  readonly paused?: PausedJson | null;
  readonly capacity: { readonly cpus: number; readonly memory_bytes: number; readonly reserve_bytes: number };
  readonly runs: { readonly queued: number; readonly active: number };
  /** Runs that wait and are not started, since their records in the store are damaged; a daemon before 0.3 does not say it. */
  readonly damaged?: readonly number[];
}

export interface StageJson {
  readonly folder: string;
  /** Runs that need it wait. */
  readonly full: boolean;
  /** Outputs that could not be brought into their logs. */
  readonly waiting: readonly {
    readonly run: number;
    readonly start: number;
    readonly why: string;
    /** Where it is, which may be the stage of an earlier daemon. */
    readonly folder?: string;
  }[];
}

export interface GpuJson {
  /** What `CUDA_VISIBLE_DEVICES` takes. */
  readonly id: string;
  readonly index: number;
  /** Empty where nobody says. */
  readonly name: string;
  /** The run that has it. */
  readonly run: number | null;
  /** Processes of no such run, as of the last look; it is looked only while a run waits for a device. */
  readonly used_by: readonly { readonly pid: number; readonly user: string; readonly name: string }[];
}

export interface DownRequest {
  /** Let the running runs end first. */
  readonly drain?: boolean;
}

export interface SettingJson {
  readonly name: string;
  readonly value: string | number | boolean | null;
  readonly from: string;
  readonly scope: 'daemon' | 'run';
  readonly doc: string;
}
