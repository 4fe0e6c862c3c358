import type { Millis, RunId } from '../units/brands.ts';
import { fixed } from './fixed.ts';
import { runOf, selectRuns, storedRunOf, type Run, type RunWithStarts, type StoredRun } from './run.ts';
import type { Db, StartRow } from './schema.ts';

export const getRun = async (db: Db, run: RunId): Promise<Run | null> => {
  const row = await selectRuns(db).where('runs.id', '=', run).executeTakeFirst();
  return row === undefined ? null : runOf(row);
};

/** Several, in no order; unknown ones are missing. At most a thousand or so at once. */
export const getRuns = async (db: Db, ids: readonly RunId[]): Promise<Run[]> => {
  if (ids.length === 0) return [];
  return (await selectRuns(db).where('runs.id', 'in', ids).execute()).map(runOf);
};

export const getRunWithStarts = async (db: Db, id: RunId): Promise<RunWithStarts | null> => {
  const run = await getRun(db, id);
  if (run === null) return null;
  const starts = await db.selectFrom('starts').selectAll().where('run', '=', id).orderBy('start').execute();
  return { run, starts };
};

/** All starts of a run, void ones too, in order. */
export const startsOf = async (db: Db, run: RunId): Promise<StartRow[]> =>
  db.selectFrom('starts').selectAll().where('run', '=', run).orderBy('start').execute();

/** Several runs with their starts, by id; unknown ones are missing. At most a thousand or so at once. */
export const getRunsWithStarts = async (db: Db, ids: readonly RunId[]): Promise<Map<RunId, RunWithStarts>> => {
  if (ids.length === 0) return new Map();
  const rows = await selectRuns(db).where('runs.id', 'in', ids).execute();
  const starts = await db.selectFrom('starts').selectAll().where('run', 'in', ids).orderBy('start').execute();
  const byRun = Map.groupBy(starts, (start) => start.run);
  return new Map(rows.map((row) => [row.id, { run: runOf(row), starts: byRun.get(row.id) ?? [] }]));
};

/** What may change of a run while one of its starts goes on. Cheaper than the whole run, and read at the end of every start. */
export type Changing = Pick<Run, 'kill_at' | 'kill_by' | 'started_at'>;

export const getChanging = async (db: Db, run: RunId): Promise<Changing | null> =>
  (await readChanging(db, { run })).rows[0] ?? null;

const readChanging = fixed((db, value: { readonly run: RunId }) =>
  db.selectFrom('runs').select(['kill_at', 'kill_by', 'started_at']).where('id', '=', value.run),
);

/** A run as it is stored, without what is counted of its starts: read for every start. */
export const getStoredRun = async (db: Db, run: RunId): Promise<StoredRun | null> => {
  const [row] = (await readStored(db, { run })).rows;
  return row === undefined ? null : storedRunOf(row);
};

const readStored = fixed((db, value: { readonly run: RunId }) =>
  db.selectFrom('runs').selectAll().where('id', '=', value.run),
);

/** When a start ended; null when it has not, or is not there. */
export const endedAt = async (db: Db, run: RunId, start: number): Promise<Millis | null> => {
  const row = await db
    .selectFrom('starts')
    .select('ended_at')
    .where('run', '=', run)
    .where('start', '=', start)
    .executeTakeFirst();
  return row?.ended_at ?? null;
};
