/** What a new daemon rebuilds its memory from. */
import { runOf, isActive, selectRuns, type Run } from './run.ts';
import type { Db, StartRow } from './schema.ts';

/** Every run that is not final, oldest first. Costs what they cost, however many finished ones there are. */
export const activeRuns = async (db: Db): Promise<Run[]> => {
  const rows = await selectRuns(db).where(isActive).orderBy('runs.id').execute();
  return rows.map(runOf);
};

/** The runs that are not final and end with this client. */
export const ownedRuns = async (db: Db, owner: string): Promise<Run[]> => {
  const rows = await selectRuns(db).where(isActive).where('runs.owner', '=', owner).execute();
  return rows.map(runOf);
};

/** The starts that have not ended, of all active runs. */
export const activeStarts = async (db: Db): Promise<StartRow[]> =>
  db
    .selectFrom('starts')
    .innerJoin('runs', 'runs.id', 'starts.run')
    .selectAll('starts')
    .where(isActive)
    .where('starts.state', 'in', ['starting', 'running'])
    .orderBy('starts.run')
    .execute();
