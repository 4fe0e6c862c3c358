import type { RunId } from '../units/brands.ts';
import type { Db, StartRow } from './schema.ts';

export type LogPath = Pick<StartRow, 'run' | 'stdout_path' | 'logs_to'>;

/** Where the logs of some runs' starts are, or were. */
export const logPaths = async (db: Db, runs: readonly RunId[]): Promise<LogPath[]> =>
  runs.length === 0
    ? []
    : db.selectFrom('starts').select(['run', 'stdout_path', 'logs_to']).where('run', 'in', runs).execute();

/** That of a run's last start. */
export const lastLogPath = async (db: Db, run: RunId): Promise<string | null> => {
  const row = await db
    .selectFrom('starts')
    .select('stdout_path')
    .where('run', '=', run)
    .orderBy('start', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.stdout_path ?? null;
};
