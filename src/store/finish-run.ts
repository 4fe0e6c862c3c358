import type { FinalState } from '../runs/transitions.ts';
import type { Millis, RunId } from '../units/brands.ts';
import { changeRunState, endQueuedRuns } from './change-state.ts';
import type { RunRow, Tx } from './schema.ts';
import { storableText } from './text.ts';

export interface EndOfRun
  extends
    Pick<RunRow, 'evidence' | 'text' | 'exit_code' | 'signal' | 'exit_status'>,
    Partial<Pick<RunRow, 'peak_rss_bytes' | 'cpu_seconds' | 'peak_cpus' | 'raised_bytes' | 'started_at'>> {
  readonly run: RunId;
  /** The start that ended it, which has ended; null: it was queued. */
  readonly start: number | null;
  readonly state: FinalState;
  readonly ended_at: Millis;
}

/** Ends a run for good. False when it was over already, has another start, or (`start` null) is not queued. */
export const finishRun = async (tx: Tx, { run, start, state, ...end }: EndOfRun): Promise<boolean> =>
  changeRunState(tx, {
    run,
    start,
    to: state,
    change: { ...end, text: storableText(end.text), held: null, not_before: null },
  });

/** Ends those of these runs that are queued, which no start was ever made for, all in the same way; which they were. */
export const finishQueuedRuns = async (
  tx: Tx,
  runs: readonly RunId[],
  { state, ...end }: Omit<EndOfRun, 'run' | 'start'>,
): Promise<RunId[]> =>
  endQueuedRuns(tx, runs, state, { ...end, text: storableText(end.text), held: null, not_before: null });
