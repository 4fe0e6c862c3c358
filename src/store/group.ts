import type { RunState } from '../runs/states.ts';
import { finalStates } from '../runs/transitions.ts';
import type { RunId } from '../units/brands.ts';
import type { Db } from './schema.ts';

export type GroupCounts = Readonly<Partial<Record<RunState, number>>>;

/** The runs of a group, in their order; none: there is no such group. */
export const groupRuns = async (db: Db, group: number): Promise<RunId[]> => {
  const rows = await db.selectFrom('runs').select('id').where('group_id', '=', group).orderBy('id').execute();
  return rows.map((row) => row.id);
};

/** How many of a group are in each state; those in none are left out. */
export const groupCounts = async (db: Db, group: number): Promise<GroupCounts> => {
  const rows = await db
    .selectFrom('runs')
    .select((eb) => ['state', eb.fn.countAll<number>().as('count')])
    .where('group_id', '=', group)
    .groupBy('state')
    .execute();
  return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]));
};

/** The runs of a group that are over and did not succeed, in their order. */
export const groupFailures = async (db: Db, group: number): Promise<RunId[]> => {
  const rows = await failuresOf(db, group).execute();
  return rows.map((row) => row.id);
};

export const firstFailure = async (db: Db, group: number): Promise<RunId | null> =>
  (await failuresOf(db, group).limit(1).executeTakeFirst())?.id ?? null;

const failuresOf = (db: Db, group: number) =>
  db.selectFrom('runs').select('id').where('group_id', '=', group).where('state', 'in', failures).orderBy('id');

const failures = finalStates.filter((state) => state !== 'succeeded');
