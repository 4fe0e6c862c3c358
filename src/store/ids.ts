/**
 * Where all numbers come from. A counter, not the highest row: a number stays given when its row is deleted. Two writers wait for each
 * other at the counter's row.
 */
import { runId, type RunId } from '../units/brands.ts';
import { fixed } from './fixed.ts';
import type { CountersTable, Tx } from './schema.ts';

/** Takes `count` numbers in a row and returns the first. */
export const takeIds = async (tx: Tx, name: CountersTable['name'], count: number): Promise<number> => {
  const [counter] = (await raiseCounter(tx, { name, count })).rows;
  if (counter === undefined) throw new Error(`there is no counter ${name}`);
  return counter.last - count + 1;
};

const raiseCounter = fixed((db, value: { readonly name: CountersTable['name']; readonly count: number }) =>
  db
    .updateTable('counters')
    .set((eb) => ({ last: eb('last', '+', value.count) }))
    .where('name', '=', value.name)
    .returning('last'),
);

/**
 * Takes run numbers ahead of `insertRuns`, for files that have to exist before their run does. Those of a submission that comes to
 * nothing are lost, which is harmless.
 */
export const takeRunIds = async (tx: Tx, count: number): Promise<RunId[]> => {
  const first = await takeIds(tx, 'run', count);
  return Array.from({ length: count }, (_, index) => runId(first + index));
};

/** The next run's number will be over `atLeast`: a start folder shows that such a run was there, though the store lost it. */
export const raiseRunCounter = async (tx: Tx, atLeast: number): Promise<void> => {
  await tx
    .updateTable('counters')
    .set({ last: atLeast })
    .where('name', '=', 'run')
    .where('last', '<', atLeast)
    .execute();
};
