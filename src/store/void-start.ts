import type { Millis, RunId } from '../units/brands.ts';
import { changeRunState, changeStartState } from './change-state.ts';
import type { Tx } from './schema.ts';

/** Nothing was begun for this start: it has no verdict, counts against no bound, and its run is queued again. False when late. */
export const voidStart = async (tx: Tx, run: RunId, start: number, at: Millis): Promise<boolean> => {
  if (!(await changeStartState(tx, { run, start, to: 'void', change: { ended_at: at } }))) return false;
  return changeRunState(tx, { run, start, to: 'queued' });
};
