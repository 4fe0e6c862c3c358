import type { Db, RaiseRow, Tx } from './schema.ts';

export const allRaises = async (db: Db): Promise<RaiseRow[]> => db.selectFrom('raises').selectAll().execute();

/** Keeps what is known of a command's memory from now on. */
export const putRaise = async (tx: Tx, raise: RaiseRow): Promise<void> => {
  const { command: _, ...change } = raise;
  await tx
    .insertInto('raises')
    .values(raise)
    .onConflict((conflict) => conflict.column('command').doUpdateSet(change))
    .execute();
};

/** Forgets it; whether there was one. */
export const dropRaise = async (tx: Tx, command: string): Promise<boolean> => {
  const { numDeletedRows } = await tx.deleteFrom('raises').where('command', '=', command).executeTakeFirst();
  return numDeletedRows === 1n;
};
