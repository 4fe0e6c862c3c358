import type { SampleLine } from '../sample/sample-line.ts';
import type {
  DaemonJson,
  DiskUseJson,
  ErrorJson,
  EventJson,
  ForgetAnswer,
  GcAnswer,
  GroupJson,
  KillAnswer,
  MachineJson,
  PauseAnswer,
  RunJson,
  RunSummaryJson,
  SettingJson,
  SubmitAnswer,
} from '../wire/api.ts';
import type { RunState } from '../runs/states.ts';
import type { StoryLine } from './explain-words.ts';
import type { Finding } from './doctor.ts';

/** What each command prints with `--json`; `orca schema` shows it. Commands named in `printedAsLines` print one value on each line. */
export interface Printed {
  /** How the run ended. */
  readonly run: RunJson;
  /** The numbers of the runs; with `--wait` instead, on a line each, the runs as they ended. */
  readonly submit: SubmitAnswer | RunJson;
  /** Each run when it has ended. */
  readonly wait: RunJson & {
    /** With `--next`: the number of the event that told the end; null: it was deleted. */
    readonly event?: number | null;
  };
  /** What became of each run. */
  readonly kill: { readonly runs: readonly KillAnswer[] };
  /** What became of the runs, and how the queue stands. */
  readonly pause: PauseAnswer;
  /** What became of the runs, and how the queue stands. */
  readonly resume: PauseAnswer;
  /** The numbers of the new runs. */
  readonly retry: SubmitAnswer;
  /** Whether anything was known of the run's command. */
  readonly forget: ForgetAnswer;
  /** What was deleted. */
  readonly gc: GcAnswer;
  /** What orca has on disk. */
  readonly du: DiskUseJson;
  /** The run, or the group; without either how the daemon is doing. */
  readonly status:
    RunJson | GroupJson | { readonly daemon: DaemonJson } | { readonly daemon: null; readonly down: boolean };
  /** The story of a run, in the order of time. */
  readonly explain: { readonly run: number; readonly state: RunState; readonly story: readonly StoryLine[] };
  /** An event on each line; without `--follow` at last the number where to go on. */
  readonly events: EventJson | { readonly last: number };
  /** The runs, the newest first. */
  readonly list: { readonly runs: readonly RunSummaryJson[] };
  /** The machine, what runs and what waits; null when no daemon is there. */
  readonly top: { readonly machine: MachineJson } | { readonly machine: null; readonly down: boolean };
  /** A sample of the run. */
  readonly metrics: SampleLine;
  /** The daemon. */
  readonly up: DaemonJson;
  /** The daemon that leaves. */
  readonly down: DaemonJson;
  /** The daemon that came. */
  readonly restart: DaemonJson;
  /** What was looked at, and what was found. */
  readonly doctor: { readonly findings: readonly Finding[] };
  /** The settings, and where each value comes from. */
  readonly 'config show': readonly SettingJson[];
  /** What standard error has, alone, when a command with `--json` fails. */
  readonly error: ErrorJson;
}
