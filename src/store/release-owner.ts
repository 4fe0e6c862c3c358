import type { RunId } from '../units/brands.ts';
import { isActive } from './run.ts';
import type { Tx } from './schema.ts';

/** Detaches a run from the client that started it: it no longer ends with it. False when that client does not own it. */
export const releaseOwner = async (tx: Tx, run: RunId, owner: string): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('runs')
    .set({ owner: null })
    .where('id', '=', run)
    .where('owner', '=', owner)
    .where(isActive)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
};
