import type { RunId } from '../units/brands.ts';
import { isOver } from './run.ts';
import type { Tx } from './schema.ts';

/** Deletes those of some runs that are over, with their starts, attempts and tags; gives their numbers, which no other run ever gets. Their events stay for their time. */
export const deleteRuns = async (tx: Tx, ids: readonly RunId[]): Promise<RunId[]> => {
  if (ids.length === 0) return [];
  const rows = await tx.selectFrom('runs').select('id').where('id', 'in', ids).where(isOver).execute();
  const over = rows.map(({ id }) => id);
  if (over.length === 0) return [];
  await tx.deleteFrom('attempts').where('run', 'in', over).execute();
  await tx.deleteFrom('starts').where('run', 'in', over).execute();
  await tx.deleteFrom('tags').where('run', 'in', over).execute();
  await tx.deleteFrom('runs').where('id', 'in', over).execute();
  return over;
};
