/** A run, its starts, a group. Part of `api.ts`, which says how it travels. */
import type { EnvironmentCapture, InputFile, RetryOn } from '../runs/extras.ts';
import type { LostKind } from '../runs/lost-output.ts';
import type { OomRules } from '../runs/oom-rules.ts';
import type { RunState, Verdict } from '../runs/states.ts';
import type { UsageSource } from '../runs/usage-source.ts';
import type { PausedJson } from './choosing.ts';
import type { AfterRequest } from './submission.ts';

export interface UsageJson {
  readonly peak_rss_bytes: number | null;
  readonly cpu_seconds: number | null;
  readonly peak_cpus: number | null;
}

/** Null for what the kernel does not count. */
export interface MemoryEventsJson {
  readonly oom: number | null;
  readonly oom_kill: number | null;
  readonly oom_group_kill: number | null;
}

export interface StartJson extends UsageJson {
  readonly start: number;
  readonly state: 'starting' | 'running' | 'ended' | 'void';
  readonly grant_bytes: number | null;
  readonly limit_bytes: number | null;
  /** Where it is killed, by its cgroup or by the sampled cap: the limit and its margin. Null: nowhere. */
  readonly cap_bytes: number | null;
  readonly pid: number | null;
  readonly claimed_at: number;
  readonly started_at: number | null;
  readonly ended_at: number | null;
  readonly exit_code: number | null;
  readonly signal: number | null;
  readonly verdict: Verdict | null;
  readonly evidence: string | null;
  /** What a person reads. */
  readonly text: string | null;
  /** What an out-of-memory verdict made of the limit for the next start. */
  readonly next_limit_bytes: number | null;
  /** Whose figure `peak_rss_bytes` is: the samples', or `wait4`'s where its largest process alone was more than any sample. */
  readonly peak_source: UsageSource | null;
  /** Whose figure `cpu_seconds` is; `samples` where they saw more than `wait4` told. */
  readonly cpu_source: UsageSource | null;
  /** The kernel's own peak (`memory.peak`), page cache included. */
  readonly kernel_peak_bytes: number | null;
  /** The kernel's own CPU time of its cgroup (`cpu.stat`). */
  readonly kernel_cpu_seconds: number | null;
  /** What its cgroup had counted of deaths for memory at its end (`memory.events`); null without one, and before its end. */
  readonly memory_events: MemoryEventsJson | null;
  /** How long some, and all, of its tasks waited for memory (`memory.pressure`). */
  readonly memory_stall_ms: number | null;
  readonly memory_stall_full_ms: number | null;
  /** Nobody measured it for a while: no daemon was there. */
  readonly gap: boolean;
  /** Where they are: a file, or an address as `s3://bucket/…`, where an output that is empty has no object. */
  readonly logs: {
    readonly stdout: string;
    readonly stderr: string;
    /** They are still here, and have to go to this address; `why` they could not be moved yet, null: they are on their way. Else null; a daemon before 0.3 does not say it. */
    readonly moving?: { readonly to: string; readonly why: string | null } | null;
  };
  /** Why output of it is not in its logs, which its text says in words: the stage or the disk of the logs was full, it was removed from the stage, or a log was deleted, moved or replaced while the command wrote to it. Null: nothing is known to be missing. A daemon before 0.3 does not say it. */
  readonly lost_output?: LostKind | null;
  /** Why outputs of it still wait in the stage; null: they do not, or are on their way. A daemon before 0.2 does not say it. */
  readonly logs_waiting?: string | null;
}

/** Where a queued run stands, and why in short. */
export interface WaitingRunJson {
  /** What keeps it, and what counts most of several: `cpus`, `memory`, `behind`, `delays`, `lock`, `after`, … (docs/queue.md). */
  readonly kind: string;
  /** Its place in the order, from 1, and of how many; null for one that does not stand in it. */
  readonly position: number | null;
  readonly of: number | null;
  /** Until its start, as far as the durations of earlier runs tell; null: they do not. */
  readonly estimate_ms: number | null;
  /** The runs that hold what it needs, or that it would delay; at most 20. */
  readonly holders: readonly number[];
}

/** One run, without its starts: a row of `orca list --json`. */
export interface RunSummaryJson extends UsageJson {
  /** The kernel's peak of those of its starts that died at the limit of their own cgroup; null for none. */
  readonly oom_peak_bytes: number | null;
  readonly id: number;
  readonly pipeline: string;
  readonly name: string | null;
  readonly state: RunState;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly priority: number;
  readonly request: {
    readonly cpus: number;
    readonly memory_min_bytes: number | null;
    readonly memory_max_bytes: number | null;
  };
  readonly retries: number;
  readonly timeout_ms: number | null;
  readonly oom: OomRules;
  readonly gpus: number;
  readonly locks: readonly string[];
  readonly resources: Readonly<Record<string, number>>;
  readonly after: readonly AfterRequest[];
  /** The number of the group that it is in. */
  readonly group: number | null;
  readonly max_parallel: number | null;
  readonly key: string | null;
  readonly tags: readonly string[];
  readonly submitter: string | null;
  readonly inputs: readonly InputFile[];
  readonly retry_on: RetryOn | null;
  readonly memory_env: readonly string[];
  readonly capture: EnvironmentCapture;
  readonly cpus_asked: boolean;
  /** For how long its success holds its key; null: a day. */
  readonly key_window_ms: number | null;
  /** Null: the default one. */
  readonly placement: string | null;
  /** Where each secret is kept, by the variable that it goes into. */
  readonly secrets: Readonly<Record<string, string>>;
  /** A person holds it back. */
  readonly paused: PausedJson | null;
  /** The run inside which it was called, and works; else null. */
  readonly inside: number | null;
  /** The name of the client that its command is (`docker`): what has its work done elsewhere, neither limited nor measured; else null. */
  readonly work_outside: string | null;
  /** What of its record in the store cannot be read: what is told for that is not what was asked for. Null: all can. */
  readonly damage: string | null;
  /** Why it waits; of one that runs, what there is to know of its memory, and that it is over its time limit; of one that is over already, why its end cannot be stored yet; else null. */
  readonly reason: string | null;
  /** Of a queued run: where it stands, and why in short. */
  readonly waiting: WaitingRunJson | null;
  /** Its command is over, which cannot be stored yet: `state` is what the store still has. */
  readonly end_unstored: boolean;
  readonly submitted_at: number;
  readonly started_at: number | null;
  readonly ended_at: number | null;
  /** The last start's own. */
  readonly exit_code: number | null;
  readonly signal: number | null;
  /** What happened, in one sentence; null until final. */
  readonly text: string | null;
  readonly evidence: string | null;
  /** What `orca wait` exits with for it; null until final. */
  readonly exit_status: number | null;
  /** How many processes were started for it (void ones are none). */
  readonly starts_count: number;
  readonly kill: { readonly at: number; readonly by: string } | null;
}

export interface RunJson extends RunSummaryJson {
  readonly starts: readonly StartJson[];
}

/** Runs that were submitted together; the number is that of the first of them. */
export interface GroupJson {
  readonly group: number;
  /** Its first run's. */
  readonly name: string | null;
  readonly argv: readonly string[];
  readonly submitted_at: number;
  /** How many of them may go on at once; null: as many as fit. */
  readonly max_parallel: number | null;
  /** All of them, in order. */
  readonly runs: readonly number[];
  /** How many are in each state; those in which none is are left out. */
  readonly counts: Readonly<Partial<Record<RunState, number>>>;
  /** Those that are over and did not succeed, in order. */
  readonly failed: readonly number[];
  /** The first of these, at most 10. */
  readonly failures: readonly RunSummaryJson[];
}
