import type { AgedRun } from '../runs/retention.ts';
import type { Millis, RunId } from '../units/brands.ts';
import { isOver } from './run.ts';
import type { Db } from './schema.ts';

/** What tells whether a run may be deleted. */
export interface StoredAge extends AgedRun {
  readonly submitted_at: Millis;
}

const select = (db: Db) =>
  db.selectFrom('runs').select(['id', 'state', 'submitted_at', 'ended_at', 'key', 'group_id']).orderBy('id');

/** Runs with a number over `after`, oldest first, whatever their state. */
export const runsAfter = async (db: Db, after: number, limit: number): Promise<StoredAge[]> =>
  select(db)
    .where('id', '>', after as RunId)
    .limit(limit)
    .execute();

/** Those of some runs that there are. */
export const agesOf = async (db: Db, ids: readonly RunId[]): Promise<StoredAge[]> =>
  ids.length === 0 ? [] : select(db).where('id', 'in', ids).execute();

/** The newest run that is over and not among the `keep` newest of those; null when all are. */
export const newestBeyond = async (db: Db, keep: number): Promise<RunId | null> => {
  const row = await db
    .selectFrom('runs')
    .select('id')
    .where(isOver)
    .orderBy('id', 'desc')
    .limit(1)
    .offset(keep)
    .executeTakeFirst();
  return row?.id ?? null;
};
