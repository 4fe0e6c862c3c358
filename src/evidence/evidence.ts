/**
 * What was read at the end of a start, as plain values: all that `verdict` looks at. The shapes of the exit record are
 * those of docs/keeper-protocol.md, so that a parsed record is passed as it is. Unknown is null.
 */
export interface Evidence {
  /** The keeper's record, else null. */
  readonly exit: ExitFacts | null;
  /** The name `begun` was there and was not void. */
  readonly begun: boolean;
  /** Why it never began, when nothing was begun: the resident's `refused`, or the daemon's own (stage `secret`). */
  readonly refused: StartFailure | null;
  /** Why there is no exit record by the keeper; looked at only then. */
  readonly lost: LostReason | null;
  /** A heartbeat that went stale did so while the run was held at its limit. */
  readonly heldWhenLost: boolean;
  /** Null for a run of its own. */
  readonly parent: ParentFacts | null;
  /** A person's kill that the store recorded for this start, and whose doing it was. */
  readonly personKill: { readonly by: string } | null;
  /** `memory.events` of the start's own cgroup as the daemon read it; used where the record has none (its keeper died). */
  readonly ownEvents: string | null;
  readonly kernelLog: KernelLog;
  /** Orca runs inside a pid namespace: the log's pids are not ours, so it is not used. */
  readonly inPidNamespace: boolean;
  /** The runner's word for a death by memory (`OOMKilled`, `OUT_OF_MEMORY`); null when it said no such thing. */
  readonly runnerWord: string | null;
  /** `--oom-exit`: codes that the user declared to mean memory. */
  readonly oomExitCodes: readonly number[];
  /** The text of `--oom-text`, when the end of standard error has it. */
  readonly oomTextMatched: string | null;
  readonly limitBytes: number | null;
  /** `memory.max` of the own cgroup. */
  readonly killAtBytes: number | null;
  /** Where the sampled cap kills: limit and margin. */
  readonly capBytes: number | null;
  /** Resident memory of the tree when it was last seen. */
  readonly lastRssBytes: number | null;
  readonly timeoutMs: number | null;
  /** argv[0] and the folder, for the words of a failed start. */
  readonly program: string;
  readonly cwd: string;
}

/** Of the run inside which it ran. */
export interface ParentFacts {
  readonly run: number;
  /** Its command had ended. */
  readonly ended: boolean;
  /** The shared counter of the exit record is the parent's cgroup's. */
  readonly counted: boolean;
}

export interface ExitFacts {
  readonly keeper: 'native' | 'sh';
  readonly how: 'exited' | 'signalled' | 'not-started' | 'keeper-died' | 'unknown';
  readonly code: number | null;
  readonly signal: number | null;
  readonly failed: StartFailure | null;
  /** In the order in which they were written. */
  readonly marks: readonly KillMark[];
  readonly cgroup: {
    readonly path: string;
    readonly events: string | null;
    /** `memory.peak`, page cache and all. */
    readonly peak: string | null;
    readonly oomd_kill: string | null;
    readonly oomd_ooms: string | null;
  } | null;
  /** The nearest readable `memory.events`, or `/proc/vmstat`, before the fork and at the end. */
  readonly shared: { readonly file: string; readonly before: string | null; readonly after: string | null } | null;
}

/** A note that orca itself ended a start. `oom_kill` is the own cgroup's, as the timer read it. */
export interface KillMark {
  readonly mark: 'user' | 'timer' | 'held' | 'cap' | 'none';
  readonly at_ms: number;
  readonly oom_kill: number | null;
  readonly text: string;
}

export interface StartFailure {
  readonly stage: string;
  readonly errno: number | null;
  readonly message: string;
}

export type LostReason = 'keeper-died' | 'reboot' | 'heartbeat';

/** `unread`: it could not be read. `nothing`: it names no process of this tree in its time. */
export type KernelLog =
  | 'unread'
  | 'nothing'
  | {
      readonly pid: number;
      /** The log's `oom_memcg` is the start's own cgroup. */
      readonly ownMemcg: boolean;
    };

/** No evidence at all: what a caller fills in with what it knows. */
export const noEvidence: Evidence = Object.freeze({
  exit: null,
  begun: true,
  refused: null,
  lost: null,
  heldWhenLost: false,
  parent: null,
  personKill: null,
  ownEvents: null,
  kernelLog: 'unread',
  inPidNamespace: false,
  runnerWord: null,
  oomExitCodes: [],
  oomTextMatched: null,
  limitBytes: null,
  killAtBytes: null,
  capBytes: null,
  lastRssBytes: null,
  timeoutMs: null,
  program: '',
  cwd: '',
});
