import type { Db, Tx } from './schema.ts';

export type MetaKey = 'down' | 'paused' | 'events-pruned' | 'store-id' | 'queue' | 'stages';

/** A word that outlives the daemon; null when it was never set. */
export const getMeta = async (db: Db, key: MetaKey): Promise<string | null> => {
  const row = await db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst();
  return row?.value ?? null;
};

/** Null forgets it. */
export const setMeta = async (tx: Tx, key: MetaKey, value: string | null): Promise<void> => {
  if (value === null) {
    await tx.deleteFrom('meta').where('key', '=', key).execute();
    return;
  }
  await tx
    .insertInto('meta')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
};
