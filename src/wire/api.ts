/**
 * What travels between a client and the daemon: JSON shapes, paths and headers of API 1.
 * Sizes are bytes, times are milliseconds since the epoch, durations milliseconds; unknown is null.
 *
 *   GET  /api/daemon                      DaemonJson
 *   POST /api/daemon/{up,down,restart}    DownRequest?        → DaemonJson
 *   GET  /api/machine                                          → MachineJson
 *   POST /api/runs                        SubmitRequest       → SubmitAnswer
 *   GET  /api/runs?state=&limit=&before=  state many          → { runs: RunSummaryJson[] }
 *   GET  /api/runs/:run                                       → RunJson
 *   GET  /api/groups/:group                                   → GroupJson
 *   GET  /api/du                                              → DiskUseJson
 *   POST /api/gc                          GcRequest           → GcAnswer
 *   POST /api/kill                        KillRequest         → { runs: KillAnswer[] }
 *   POST /api/pause                       PauseRequest        → PauseAnswer
 *   POST /api/resume                      ResumeRequest       → PauseAnswer
 *   POST /api/runs/:run/retry             RetryRequest        → SubmitAnswer
 *   POST /api/runs/:run/forget                            → ForgetAnswer
 *   POST /api/runs/:run/detach            { owner }           → {}
 *   POST /api/choose                      ChooseRequest       → { runs: number[] }, what groups and tags stand for
 *   POST /api/wait                        WaitRequest         → application/x-ndjson, WaitEvent a line
 *   GET  /api/runs/:run/logs?stream=&start=&offset=&tail=&since_ms=&follow=1   → raw bytes
 *        stream stdout (default) or stderr; start defaults to the last; offset in bytes, or tail in lines, or since_ms, a moment;
 *        follow: until that start is over and all is read. Header `orca-start` names the start, `orca-offset` where the bytes begin.
 *        With since_ms, `orca-after` is a moment after which all of them were written: earlier than asked for where that is not known exactly.
 *   GET  /api/runs/:run/metrics                                → application/x-ndjson, a sample a line (docs/sample.md)
 *   GET  /api/events?since=ID             text/event-stream, EventJson each
 *   GET  /api/config                                          → SettingJson[]
 *
 * Every request carries `orca-api: 1` and `orca-program: <version> <build time, ms> <entry file>`. Errors are ErrorJson.
 */
import type { EnvironmentCapture, InputFile, RetryOn } from '../runs/extras.ts';
import type { OomRules } from '../runs/oom-rules.ts';
import type { RunState, Verdict } from '../runs/states.ts';
import type { UsageSource } from '../runs/usage-source.ts';

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
  /** True after `orca down`: nothing is started until `orca up`. */
  readonly down: boolean;
  /** A person holds the whole queue back; a daemon before 0.2 does not say it. */
  readonly paused?: PausedJson | null;
  readonly capacity: { readonly cpus: number; readonly memory_bytes: number; readonly reserve_bytes: number };
  readonly runs: { readonly queued: number; readonly active: number };
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

export interface QueuedJson {
  readonly id: number;
  readonly name: string | null;
  readonly argv: readonly string[];
  readonly submitted_at: number;
  /** Why it waits. */
  readonly reason: string | null;
  readonly waiting: WaitingRunJson | null;
}

export interface DownRequest {
  /** Let the running runs end first. */
  readonly drain?: boolean;
}

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
  readonly dry_run: boolean;
}

/** What orca has on disk. */
export interface DiskUseJson {
  readonly state: string;
  readonly logs_folder: string;
  readonly logs_bytes: number;
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

/** Runs by their numbers, and all that are not over of groups and of tags. */
export interface ChosenRuns {
  readonly runs?: readonly number[];
  readonly groups?: readonly number[];
  readonly tags?: readonly string[];
}

export interface KillRequest extends ChosenRuns {
  /** Whose doing it was, for the verdict's text: `orca kill by ada`, `Interrupt of orca run`. */
  readonly by: string;
  /** Skip the grace. */
  readonly now?: boolean;
  /** Only as the client that owns them: one that others asked for since by its key goes on. */
  readonly owner?: string;
}

export interface KillAnswer {
  readonly run: number;
  /**
   * `killing`: told its keeper; `killed`: no start of it was going on, so it is over; `final`: it was over already; `goes-on`: the client
   * that asked owns it no longer, since another one asked for it by its key; `unknown`: no such run.
   */
  readonly result: 'killing' | 'killed' | 'final' | 'goes-on' | 'unknown';
  readonly state: RunState | null;
}

/** Who holds runs back, why, and since when. */
export interface PausedJson {
  readonly by: string;
  readonly reason: string | null;
  readonly at: number;
}

/** Without any runs: the whole queue. */
export interface PauseRequest extends ChosenRuns {
  readonly by: string;
  readonly reason?: string | null;
  /** Answer when what runs of them has ended. */
  readonly drain?: boolean;
}

export interface ResumeRequest extends ChosenRuns {
  readonly by: string;
}

export interface PausedAnswer {
  readonly run: number;
  /** `unchanged`: it was so before; `active`: it runs, or is being started; `inside`: it works inside another run, which waits for it. */
  readonly result: 'paused' | 'resumed' | 'unchanged' | 'active' | 'inside' | 'final' | 'unknown';
  readonly state: RunState | null;
}

export interface PauseAnswer {
  /** The pause of the whole queue; null: there is none. */
  readonly queue: PausedJson | null;
  /** What became of each run that was asked for. */
  readonly runs: readonly PausedAnswer[];
  /** How many of all that wait are held back one by one. */
  readonly held: number;
  /** How many of all runs have a start that goes on. */
  readonly active: number;
}

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
  readonly logs: { readonly stdout: string; readonly stderr: string };
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
  /** Why it waits; of one that runs, what there is to know of its memory; of one that is over already, why its end cannot be stored yet; else null. */
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

export interface WaitRequest {
  readonly runs: readonly number[];
  readonly owner?: string;
  /** `full`: a `run` event at every change of state, reason or start; `final`: one when a run is final. */
  readonly detail: 'full' | 'final';
  /** Only for the first of them that ends, also before the call; with `since` the first that was told as ended after that event. */
  readonly next?: { readonly since: number | null };
  /** The caller is a process of this run's start, which cannot end while it waits. */
  readonly inside?: { readonly run: number; readonly start: string };
}

export interface ChooseRequest extends ChosenRuns {
  /** Of groups and tags also those that are over. */
  readonly over?: boolean;
}

export type WaitEvent =
  /** `event`, of a wait for the next: the number of the event that told the end; null: it was deleted. */
  | { readonly type: 'run'; readonly run: RunJson; readonly event?: number | null }
  /** It would never end: the run inside which the caller is would have to end first. Nothing follows. */
  | { readonly type: 'stuck'; readonly run: number; readonly why: string }
  /** Every 2 s: the daemon is there. */
  | { readonly type: 'beat'; readonly at: number }
  /** All of them are final. */
  | { readonly type: 'end' };

export interface EventJson {
  readonly id: number;
  readonly run: number | null;
  readonly at: number;
  readonly kind: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface SettingJson {
  readonly name: string;
  readonly value: string | number | boolean | null;
  readonly from: string;
  readonly scope: 'daemon' | 'run';
  readonly doc: string;
}
