/** The machine, and all that runs and waits on it. Part of `api.ts`, which says how it travels. */
import type { PausedJson } from './choosing.ts';
import type { DaemonJson } from './daemon.ts';
import type { WaitingRunJson } from './run.ts';

/** How the machine and all that runs and waits on it stand now. */
export interface MachineJson {
  readonly at: number;
  readonly version: string;
  /** As the daemon's own. */
  readonly down: boolean;
  readonly paused?: PausedJson | null;
  readonly capacity: DaemonJson['capacity'];
  /** Taken for whoever asks; `dt` is the time since somebody asked before. Without one it is next to 0, and its rates tell nothing. */
  readonly sample: SampleJson;
  /** The newest that is over; null when nothing ran in the last day. */
  readonly minute: MinuteJson | null;
  /** By number. */
  readonly running: readonly RunningJson[];
  /** The first 200 of the queue, in its order. */
  readonly queued: readonly QueuedJson[];
  readonly queued_count: number;
}

/** A line of samples (docs/sample.md), as far as it is read here. */
export interface SampleJson {
  readonly dt: number;
  readonly host: string;
  readonly cores: number;
  readonly cpu: { readonly user: number; readonly system: number; readonly busiest: number };
  readonly mem: { readonly total: number | null; readonly used: number | null; readonly rss: number };
  readonly disk: readonly { readonly path: string; readonly used: number; readonly free: number }[];
  readonly load: readonly number[] | null;
  readonly psi: { readonly cpu: WaitingJson; readonly memory: WaitingJson; readonly io: WaitingJson } | null;
}

export interface WaitingJson {
  readonly some: number | null;
  readonly full: number | null;
}

/** A minute of the machine (docs/metrics.md); percents. */
export interface MinuteJson {
  readonly at: number;
  readonly samples: number;
  readonly memory: number | null;
  readonly disk: { readonly path: string; readonly percent: number } | null;
  readonly pressure: { readonly memory: WaitingJson; readonly io: WaitingJson };
}

/** A run that has a start, with what was last seen of it. */
export interface RunningJson {
  readonly id: number;
  readonly name: string | null;
  readonly argv: readonly string[];
  readonly start: number;
  readonly claimed_at: number;
  /** Null: it is being started. */
  readonly started_at: number | null;
  /** Resident, of its tree. */
  readonly rss_bytes: number | null;
  /** Of its cgroup, page cache included; up to 5 s old. */
  readonly cgroup_bytes: number | null;
  /** Null: it has none to keep to. */
  readonly limit_bytes: number | null;
  /** Busy over the last 2 s. */
  readonly cores: number | null;
  /** Percent of the last 10 s in which all of it waited for memory. */
  readonly stall_percent: number | null;
  /** What there is to know of it now. */
  readonly reason: string | null;
}

export interface QueuedJson {
  readonly id: number;
  readonly name: string | null;
  readonly argv: readonly string[];
  readonly submitted_at: number;
  /** Why it waits. */
  readonly reason: string | null;
  readonly waiting: WaitingRunJson | null;
}
