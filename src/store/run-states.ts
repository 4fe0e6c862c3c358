import type { RunState } from '../runs/states.ts';
import type { RunId } from '../units/brands.ts';
import type { Db } from './schema.ts';

export interface BriefState {
  readonly state: RunState;
  readonly group: number | null;
}

/** How some runs stand; unknown ones are missing. At most some thousands at once. */
export const runStates = async (db: Db, ids: readonly RunId[]): Promise<Map<RunId, BriefState>> => {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('runs').select(['id', 'state', 'group_id']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, state, group_id }) => [id, { state, group: group_id }]));
};
