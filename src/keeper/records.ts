/** The files of a start folder, as text in and plain values out; docs/keeper-protocol.md, *The start folder*. */

/** A record that was read, or why it cannot be used. Nothing here throws: one bad record stops no other (R5). */
export type Read<T> = { readonly value: T; readonly why: null } | { readonly value: null; readonly why: string };

/** A process, named so that a reused pid is told apart: `start` in clock ticks since boot. */
export interface ProcessName {
  readonly pid: number;
  readonly start: number;
}

export interface PidRecord {
  readonly boot: string;
  readonly uuid: string;
  readonly keeper: ProcessName;
  readonly command: ProcessName;
  readonly at_ms: number;
}

export const markNames = ['timer', 'user', 'held', 'cap', 'none'] as const;
export type MarkName = (typeof markNames)[number];

export interface Mark {
  readonly mark: MarkName;
  readonly at_ms: number;
  /** The own cgroup's count when the mark was written. */
  readonly oom_kill: number | null;
  readonly text: string;
}

export interface StartFailure {
  readonly stage: string;
  readonly errno: number;
  readonly message: string;
}

export interface CgroupTexts {
  readonly path: string;
  readonly events: string | null;
  readonly peak: string | null;
  readonly pressure: string | null;
  readonly cpu: string | null;
  readonly oomd_kill: string | null;
  readonly oomd_ooms: string | null;
}

export interface SharedTexts {
  readonly file: string;
  readonly before: string | null;
  readonly after: string | null;
}

export const endings = ['exited', 'signalled', 'not-started', 'keeper-died', 'unknown'] as const;
export type Ending = (typeof endings)[number];

export interface ExitRecord {
  readonly protocol: number;
  readonly keeper: 'native' | 'sh';
  readonly how: Ending;
  readonly code: number | null;
  readonly signal: number | null;
  readonly failed: StartFailure | null;
  readonly max_rss_bytes: number | null;
  readonly user_us: number | null;
  readonly system_us: number | null;
  readonly boot: string | null;
  readonly started_ms: number | null;
  readonly ended_ms: number | null;
  readonly elapsed_us: number | null;
  readonly marks: readonly Mark[];
  readonly cgroup: CgroupTexts | null;
  readonly shared: SharedTexts | null;
}
