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
  /** Only runs that bear one of these tags. */
  readonly tags?: readonly string[];
  /** Only runs of this group, with this key, of this name. */
  readonly group?: number | null;
  readonly key?: string | null;
  readonly name?: string | null;
}

/** Newest first. */
export const listRuns = async (db: Db, asked: ListRuns): Promise<Run[]> => {
  const { states = [], before = null, limit, tags = [], group = null, key = null, name = null } = asked;
  const newest = selectRuns(db)
    .$if(tags.length > 0, (query) =>
      query.where('runs.id', 'in', (eb) => eb.selectFrom('tags').select('tags.run').where('tags.tag', 'in', tags)),
    )
    .$if(group !== null, (query) => query.where('runs.group_id', '=', group))
    .$if(key !== null, (query) => query.where('runs.key', '=', key))
    .$if(name !== null, (query) => query.where('runs.name', '=', name))
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
