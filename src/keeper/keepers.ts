import type { CtlAnswer, CtlRequest } from './ctl.ts';
import type { ExitRecord, Read } from './records.ts';

/** What it takes to start one command; docs/keeper-protocol.md, `start`. */
export interface StartRequest {
  /** The start folder, absolute; it was made before. */
  readonly folder: string;
  readonly run: number;
  readonly start: number;
  readonly uuid: string;
  readonly cwd: string;
  readonly args: readonly string[];
  /** `NAME=value`, complete: nothing is added. */
  readonly env: readonly string[];
  readonly stdin: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly cgroup?: string | null;
  /** A cgroup to enter that is another start's. */
  readonly enter?: string | null;
  readonly shared?: string | null;
  readonly oomScoreAdj?: number | null;
  readonly nice?: number | null;
  readonly umask?: number | null;
  /** `<name> <soft> <hard>` each. */
  readonly rlimits?: readonly string[];
  /** How large each output's file may become, in bytes; null: as large as it will. The `sh` keeper knows no cap. */
  readonly logMax?: number | null;
  readonly timeoutMs?: number | null;
  readonly graceMs?: number | null;
}

/** How a daemon is started again. */
export interface Program {
  readonly args: readonly string[];
  readonly env: readonly string[];
  readonly log: string;
}

/** What the keepers tell. `closed`: no report for anything asked before will come; look into the start folders instead. */
export type KeeperReport =
  | { readonly type: 'hello'; readonly protocol: number; readonly pid: number; readonly active: number }
  | {
      readonly type: 'running';
      readonly run: number;
      readonly start: number;
      readonly keeper: number;
      readonly pid: number;
    }
  | { readonly type: 'ended'; readonly run: number; readonly start: number; readonly record: Read<ExitRecord> }
  | { readonly type: 'void'; readonly run: number; readonly start: number }
  | {
      readonly type: 'refused';
      readonly run: number;
      readonly start: number;
      readonly stage: string;
      readonly errno: number;
      readonly message: string;
    }
  | { readonly type: 'closed'; readonly why: string };

/** `gone`: the tree is; `left`: some of it is still there after 30 s; `alive`: the keeper is, and was asked nothing. */
export type KillResult = 'gone' | 'left' | 'alive';

/** Whoever starts and ends commands for the scheduler: the native resident, or the shell script. */
export interface Keepers {
  readonly kind: 'native' | 'sh';
  /** Why it is not the native one. */
  readonly why: string | null;
  start(request: StartRequest): void;
  /** Whether there is work that no keeper shows, such as runs that wait: with any, a daemon that died is started again. */
  work(queued: boolean): void;
  /** The daemon leaves on purpose: nobody starts it again. */
  goodbye(): void;
  /** The daemon is about to exit: this program takes its place at once. */
  handover(program: Program): void;
  /** Ends the stream; resolves when all that was said has been read, or was not within 2 s. Nothing is said or told after it. */
  close(): Promise<void>;
  /** Ends the tree of a start whose keeper is gone, and writes its record when there is none. */
  kill(folder: string, uuid: string, cgroup?: string | null): Promise<KillResult>;
  /** Asks the keeper of a start, of either kind. */
  ctl(folder: string, request: CtlRequest, timeoutMs?: number): Promise<CtlAnswer>;
}
