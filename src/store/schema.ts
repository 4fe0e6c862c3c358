/**
 * The tables, as both engines hold them: moments in epoch ms, durations in ms, booleans 0 or 1, JSON as text, sizes in
 * bytes below 2^53. Unknown is null.
 */
import type { ColumnType, Insertable, Kysely, Selectable } from 'kysely';
import type { LostKind } from '../runs/lost-output.ts';
import type { RunState, Verdict } from '../runs/states.ts';
import type { UsageSource } from '../runs/usage-source.ts';
import type { StartState } from '../runs/transitions.ts';
import type { Bytes, Millis, RunId } from '../units/brands.ts';

/** 0 or 1. */
export type Flag = 0 | 1;
/** A column that an insert may leave out; it is null then. */
type Late<T> = ColumnType<T | null, T | null | undefined, T | null>;
/** A column with a default. */
type Defaulted<T> = ColumnType<T, T | undefined, T>;

interface Usage {
  /** Resident, the whole tree. */
  readonly peak_rss_bytes: Late<Bytes>;
  readonly cpu_seconds: Late<number>;
  readonly peak_cpus: Late<number>;
}

export interface PipelinesTable {
  readonly id: number;
  readonly name: string;
}

export interface RunsTable extends Usage {
  readonly id: RunId;
  readonly pipeline_id: number;
  /** With its index: which submission made it. The same submission again gives the same runs. */
  readonly token: string;
  readonly token_index: number;
  readonly name: string | null;
  readonly state: RunState;
  /** JSON: an array of strings. */
  readonly argv: string;
  readonly cwd: string;
  readonly umask: number;
  /** Whether its environment was captured into `<state>/runs/<run>.env`. */
  readonly env_file: Flag;
  /** Thousandths of a core. */
  readonly cpus_milli: number;
  readonly memory_min_bytes: Bytes | null;
  readonly memory_max_bytes: Bytes | null;
  /** What out-of-memory verdicts made of its memory. */
  readonly raised_bytes: Late<Bytes>;
  readonly retries: number;
  /** Second starts given so far, by the bound they count against. */
  readonly ordinary_used: Defaulted<number>;
  readonly oom_used: Defaulted<number>;
  readonly timeout_ms: Millis | null;
  readonly priority: number;
  readonly stdin_kind: 'null' | 'file' | 'spool';
  readonly stdin_path: string | null;
  /** The client that it ends with; null once detached, or when it never had one. */
  readonly owner: string | null;
  /** JSON: settings of scope `run`, by environment name. */
  readonly settings: string;
  /** The start that it was called inside of; null for a run of its own. */
  readonly parent_run: Late<RunId>;
  readonly parent_start: Late<number>;
  /** JSON: what was said of deaths for memory. */
  readonly oom: Late<string>;
  /** Among whom the machine is shared fairly; null: nobody said it. */
  readonly submitter: Late<string>;
  /** The number of the first run of its group; null outside of one. */
  readonly group_id: Late<number>;
  /** Names this piece of work: while it holds, the same key gives this run. */
  readonly key: Late<string>;
  /** Names its command: a hash of its folder and arguments. */
  readonly command: Late<string>;
  /** JSON: `Needs`; null: nothing besides cpus and memory. */
  readonly needs: Late<string>;
  /** JSON: `Extras`; null: nothing. */
  readonly extras: Late<string>;
  /** Null: the default one, `ORCA_RUNNER`. */
  readonly placement: Late<string>;
  /** JSON: where each secret is kept, by the variable that it goes into; never a value. */
  readonly secrets: Late<string>;
  /** JSON: `Paused`; a person holds it back. */
  readonly paused: Late<string>;
  /** Why it may not start yet. */
  readonly held: Late<string>;
  /** The end of its back-off. */
  readonly not_before: Late<Millis>;
  readonly kill_at: Late<Millis>;
  readonly kill_by: Late<string>;
  /** The kill skips the grace. */
  readonly kill_now: Defaulted<Flag>;
  /** The number of its last start, 0 before the first: the fence of every write about a start. */
  readonly current_start: Defaulted<number>;
  readonly evidence: Late<string>;
  readonly text: Late<string>;
  readonly exit_code: Late<number>;
  readonly signal: Late<number>;
  /** What `orca wait` exits with. */
  readonly exit_status: Late<number>;
  readonly submitted_at: Millis;
  /** When its first start was running. */
  readonly started_at: Late<Millis>;
  readonly ended_at: Late<Millis>;
}

export interface StartsTable extends Usage {
  readonly run: RunId;
  /** From 1. */
  readonly start: number;
  /** `ORCA_START`. */
  readonly uuid: string;
  readonly state: StartState;
  readonly grant_bytes: Late<Bytes>;
  readonly limit_bytes: Late<Bytes>;
  /** Where it is killed: the limit and its margin. */
  readonly cap_bytes: Late<Bytes>;
  readonly cpus_milli: number;
  readonly pid: Late<number>;
  readonly keeper_pid: Late<number>;
  /** The boot that the pids belong to. */
  readonly boot: Late<string>;
  readonly claimed_at: Millis;
  readonly started_at: Late<Millis>;
  readonly ended_at: Late<Millis>;
  readonly exit_code: Late<number>;
  readonly signal: Late<number>;
  readonly verdict: Late<Verdict>;
  readonly evidence: Late<string>;
  readonly text: Late<string>;
  readonly next_limit_bytes: Late<Bytes>;
  /** Whose figure `peak_rss_bytes` is, and whose `cpu_seconds`. */
  readonly peak_source: Late<UsageSource>;
  readonly cpu_source: Late<UsageSource>;
  /** `memory.peak`, page cache included. */
  readonly kernel_peak_bytes: Late<Bytes>;
  /** `usage_usec` of its cgroup's `cpu.stat`. */
  readonly kernel_cpu_seconds: Late<number>;
  /** `memory.events` of its cgroup at the end. */
  readonly oom: Late<number>;
  readonly oom_kill: Late<number>;
  readonly oom_group_kill: Late<number>;
  readonly stdout_path: string;
  readonly stderr_path: string;
  /** The address of the folder that its logs are moved to when it is over; null: they stay in these files. */
  readonly logs_to: Late<string>;
  /** JSON: what lies there of them (`src/scheduler/moved-logs.ts`); null: not yet. */
  readonly moved_logs: Late<string>;
  /** Why output of it is not in these; null: nothing is known to be missing. Its text says it in words. */
  readonly lost_output: Late<LostKind>;
  readonly memory_stall_ms: Late<Millis>;
  readonly memory_stall_full_ms: Late<Millis>;
  /** The folder of its cgroup; null when it has none of its own. */
  readonly cgroup: Late<string>;
  /** JSON: the devices that it has; null: none. */
  readonly gpus: Late<string>;
  /** Nobody watched it for a while: its usage may miss a part. */
  readonly gap: Defaulted<Flag>;
}

export interface AttemptsTable extends Usage {
  readonly run: RunId;
  readonly start: number;
  /** `main` for a plain command. */
  readonly step: string;
  /** From 1 within its step. */
  readonly n: number;
  readonly state: 'running' | Verdict;
  readonly error: Late<string>;
  readonly started_at: Millis;
  readonly ended_at: Late<Millis>;
  readonly memory_stall_ms: Late<Millis>;
  readonly memory_stall_full_ms: Late<Millis>;
}

export interface EventsTable {
  readonly id: number;
  readonly run: RunId | null;
  readonly at: Millis;
  readonly kind: string;
  /** JSON: an object. */
  readonly data: string;
}

/** Words that outlive a daemon, such as `down`. */
export interface MetaTable {
  readonly key: string;
  readonly value: string;
}

/** What out-of-memory deaths made of the memory of a command's later runs. */
export interface RaisesTable {
  /** Names the command: a hash of its folder and arguments. */
  readonly command: string;
  readonly raised_bytes: Bytes;
  /** The request that it came from; another one ends it. */
  readonly memory_min_bytes: Bytes | null;
  readonly memory_max_bytes: Bytes | null;
  /** Clean successes since. */
  readonly successes: number;
  readonly raised_at: Millis;
}

/** Which runs bear a tag. */
export interface TagsTable {
  readonly tag: string;
  readonly run: RunId;
}

/** The runs that a submission got for commands whose keys were known: no run of its own bears its token there. */
export interface AnswersTable {
  readonly token: string;
  readonly token_index: number;
  readonly run: RunId;
  readonly at: Millis;
}

/** The last number given of each kind; only ever raised. */
export interface CountersTable {
  readonly name: 'run' | 'event';
  readonly last: number;
}

/** Which migrations were applied; the highest breaking one is the lowest schema that a reader must understand. */
export interface MigrationsTable {
  readonly number: number;
  readonly name: string;
  readonly breaking: Flag;
}

export interface Database {
  readonly pipelines: PipelinesTable;
  readonly runs: RunsTable;
  readonly starts: StartsTable;
  readonly attempts: AttemptsTable;
  readonly events: EventsTable;
  readonly meta: MetaTable;
  readonly raises: RaisesTable;
  readonly tags: TagsTable;
  readonly answers: AnswersTable;
  readonly counters: CountersTable;
  readonly migrations: MigrationsTable;
}

export type RunRow = Selectable<RunsTable>;
export type NewRunRow = Insertable<RunsTable>;
export type StartRow = Selectable<StartsTable>;
export type RaiseRow = Selectable<RaisesTable>;
export type AttemptRow = Selectable<AttemptsTable>;

/** Where queries run: what is committed, or, as `Tx`, inside a command. */
export type Db = Kysely<Database>;
declare const insideCommand: unique symbol;
/** The handle inside a command. Everything that writes asks for this one, so that nothing is written outside the queue. */
export type Tx = Db & { readonly [insideCommand]: true };
