import type { RunId } from '../units/brands.ts';
import { argvOf } from './json-columns.ts';
import type { Db, RunRow } from './schema.ts';

export interface BriefRun extends Pick<RunRow, 'id' | 'name' | 'submitted_at'> {
  readonly argv: readonly string[];
}

/** What names some runs to a person, in no order; unknown ones are missing. At most a thousand or so at once. */
export const briefRuns = async (db: Db, ids: readonly RunId[]): Promise<BriefRun[]> => {
  if (ids.length === 0) return [];
  const columns = ['id', 'name', 'submitted_at', 'argv'] as const;
  const rows = await db.selectFrom('runs').select(columns).where('id', 'in', ids).execute();
  return rows.map((row) => ({ ...row, argv: argvOf(row) }));
};

export type BriefState = Pick<RunRow, 'id' | 'state' | 'parent_run'>;

/** The states of some runs; unknown ones are missing. At most a thousand or so at once. */
export const briefStates = async (db: Db, ids: readonly RunId[]): Promise<Map<RunId, BriefState>> => {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('runs').select(['id', 'state', 'parent_run']).where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
};
