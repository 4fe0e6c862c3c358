import type { RunId } from '../units/brands.ts';
import type { Tx } from './schema.ts';

/** Why a queued run waits. Writes only what is different, so that an unchanged queue costs nothing; whether it was. */
export const setHeld = async (tx: Tx, run: RunId, reason: string | null): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('runs')
    .set({ held: reason })
    .where('id', '=', run)
    .where('state', '=', 'queued')
    .where((eb) =>
      reason === null ? eb('held', 'is not', null) : eb.or([eb('held', 'is', null), eb('held', '<>', reason)]),
    )
    .executeTakeFirst();
  return numUpdatedRows === 1n;
};
