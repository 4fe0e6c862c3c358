/** Which runs that are over may be deleted. Pure. */
import type { Millis, RunId } from '../units/brands.ts';
import { keyState } from './key.ts';
import type { RunState } from './states.ts';
import { isFinal } from './transitions.ts';

export interface AgedRun {
  readonly id: RunId;
  readonly state: RunState;
  readonly ended_at: Millis | null;
  readonly key: string | null;
  readonly group_id: number | null;
  /** For how long its success holds its key. */
  readonly keyWindow: Millis;
}

/** What unfinished work goes by. */
export interface Needed {
  readonly runs: ReadonlySet<RunId>;
  readonly groups: ReadonlySet<number>;
}

/** Why a run may not be deleted, however old it is; null: it may. */
export const whyKept = (run: AgedRun, needed: Needed, now: Millis): 'unfinished' | 'needed' | 'key' | null => {
  if (!isFinal(run.state) || run.ended_at === null) return 'unfinished';
  if (needed.runs.has(run.id) || (run.group_id !== null && needed.groups.has(run.group_id))) return 'needed';
  const holds = run.key !== null && keyState({ ...run, kill_at: null }, now, run.keyWindow) === 'held';
  return holds ? 'key' : null;
};
