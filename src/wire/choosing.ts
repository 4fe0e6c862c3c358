/** Runs that are chosen to be ended or held back. Part of `api.ts`, which says how it travels. */
import type { RunState } from '../runs/states.ts';

/** Runs by their numbers, and all that are not over of groups and of tags. */
export interface ChosenRuns {
  readonly runs?: readonly number[];
  readonly groups?: readonly number[];
  readonly tags?: readonly string[];
}

export interface ChooseRequest extends ChosenRuns {
  /** Of groups and tags also those that are over. */
  readonly over?: boolean;
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
