import type { RunId } from '../units/brands.ts';
import type { Db, Tx } from './schema.ts';

/** Runs with a start that is over and whose logs are not where they go, oldest first. The index asks for its own words. */
export const runsToMove = async (db: Db, after: RunId | null, limit: number): Promise<RunId[]> => {
  const rows = await db
    .selectFrom('starts')
    .select('run')
    .distinct()
    .where('logs_to', 'is not', null)
    .where('moved_logs', 'is', null)
    .where('state', '=', 'ended')
    .where('run', '>', after ?? (0 as RunId))
    .orderBy('run')
    .limit(limit)
    .execute();
  return rows.map(({ run }) => run);
};

/** Those of some runs whose logs go, or went, elsewhere. */
export const runsElsewhere = async (db: Db, runs: readonly RunId[]): Promise<Set<RunId>> => {
  if (runs.length === 0) return new Set();
  const rows = await db
    .selectFrom('starts')
    .select('run')
    .distinct()
    .where('run', 'in', runs)
    .where('logs_to', 'is not', null)
    .execute();
  return new Set(rows.map(({ run }) => run));
};

export interface Moved {
  readonly run: RunId;
  readonly start: number;
  /** JSON. */
  readonly moved: string;
}

export const storeMoved = async (tx: Tx, { run, start, moved }: Moved): Promise<void> => {
  await tx.updateTable('starts').set({ moved_logs: moved }).where('run', '=', run).where('start', '=', start).execute();
};
