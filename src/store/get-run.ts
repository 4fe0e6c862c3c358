import type { RunId } from '../units/brands.ts';
import { runOf, selectRuns, type Run, type RunWithStarts } from './run.ts';
import type { Db } from './schema.ts';

export const getRun = async (db: Db, run: RunId): Promise<Run | null> => {
  const row = await selectRuns(db).where('runs.id', '=', run).executeTakeFirst();
  return row === undefined ? null : runOf(row);
};

export const getRunWithStarts = async (db: Db, id: RunId): Promise<RunWithStarts | null> => {
  const run = await getRun(db, id);
  if (run === null) return null;
  const starts = await db.selectFrom('starts').selectAll().where('run', '=', id).orderBy('start').execute();
  return { run, starts };
};
