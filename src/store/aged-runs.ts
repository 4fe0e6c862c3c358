import { sql } from 'kysely';
import { defaultKeyWindow } from '../runs/key.ts';
import type { AgedRun } from '../runs/retention.ts';
import { millis, type Millis, type RunId } from '../units/brands.ts';
import { extrasOf } from './json-columns.ts';
import { isOver } from './run.ts';
import type { Db } from './schema.ts';

/** What tells whether a run may be deleted. */
export interface StoredAge extends AgedRun {
  readonly submitted_at: Millis;
}

/** The key only where it is this run's still: a newer run has it from its predecessors. */
const select = (db: Db) =>
  db
    .selectFrom('runs')
    .select(['id', 'state', 'submitted_at', 'ended_at', 'group_id', 'extras'])
    .select(
      sql<
        string | null
      >`case when exists (select 1 from runs as newer where newer.key = runs.key and newer.id > runs.id)
        then null else runs.key end`.as('key'),
    )
    .orderBy('id');

/** A run with a key is seldom, and one with a window of its own more so. */
const ageOf = ({ extras, ...row }: AgeRow): StoredAge => {
  const window = row.key === null || extras === null ? null : extrasOf({ extras }).key_window_ms;
  return { ...row, keyWindow: window === null ? defaultKeyWindow : millis(window) };
};

type AgeRow = Omit<StoredAge, 'keyWindow'> & { readonly extras: string | null };

/** Runs with a number over `after`, oldest first, whatever their state. */
export const runsAfter = async (db: Db, after: number, limit: number): Promise<StoredAge[]> => {
  const rows = await select(db)
    .where('id', '>', after as RunId)
    .limit(limit)
    .execute();
  return rows.map(ageOf);
};

/** Those of some runs that there are. */
export const agesOf = async (db: Db, ids: readonly RunId[]): Promise<StoredAge[]> =>
  ids.length === 0 ? [] : (await select(db).where('id', 'in', ids).execute()).map(ageOf);

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
