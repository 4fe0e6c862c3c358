import type { RunState } from '../runs/states.ts';
import { isFinal } from '../runs/transitions.ts';
import type { RunId } from '../units/brands.ts';
import { isActive, isOver, runOf, selectRuns, type Run } from './run.ts';
import type { Db } from './schema.ts';

export interface ListRuns {
  /** Empty: all. */
  readonly states?: readonly RunState[];
  /** Only runs with a smaller id. */
  readonly before?: RunId | null;
  readonly limit: number;
}

/** Newest first. */
export const listRuns = async (db: Db, { states = [], before = null, limit }: ListRuns): Promise<Run[]> => {
  const newest = selectRuns(db)
    .$if(before !== null, (query) => query.where('runs.id', '<', before as RunId))
    .orderBy('runs.id', 'desc')
    .limit(limit);
  if (states.length === 0) return (await newest.execute()).map(runOf);

  // A query per state, each a walk of its index from the newest on: one query for several would sort every run in them.
  const found: Run[] = [];
  for (const state of new Set(states)) {
    const rows = await newest
      .where(isFinal(state) ? isOver : isActive)
      .where('runs.state', '=', state)
      .execute();
    found.push(...rows.map(runOf));
  }
  return found.sort((a, b) => b.id - a.id).slice(0, limit);
};
