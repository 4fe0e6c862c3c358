import { sql } from 'kysely';
import type { RunState } from '../runs/states.ts';
import type { Millis, RunId } from '../units/brands.ts';
import { isActive } from './run.ts';
import type { Flag, Tx } from './schema.ts';
import { storableText } from './text.ts';

export interface KillOrder {
  readonly at: Millis;
  /** Whose doing it is: `orca kill by ada`. */
  readonly by: string;
  /** Skip the grace. */
  readonly now: boolean;
  /** Only what this client still owns; left out, and null: whoever asks may. */
  readonly owner?: string | null;
}

export interface KillsAsked {
  /** The state of each run whose kill is recorded with this. */
  readonly recorded: ReadonlyMap<RunId, RunState>;
  /** Of each other: over already, or not the owner's any more. Unknown ones are in neither. */
  readonly rest: ReadonlyMap<RunId, RunState>;
}

/**
 * Records a person's kill of runs, before any signal is sent; from then on nothing is started for them. The first one's time and author
 * stay; a later `now` hurries it. At most some hundreds of runs at once.
 */
export const askKills = async (
  tx: Tx,
  runs: readonly RunId[],
  { at, by, now, owner = null }: KillOrder,
): Promise<KillsAsked> => {
  const updated = await tx
    .updateTable('runs')
    .set({
      kill_at: sql<Millis>`coalesce(kill_at, ${at})`,
      kill_by: sql<string>`coalesce(kill_by, ${storableText(by)})`,
      ...(now ? { kill_now: 1 as Flag } : {}),
    })
    .where('id', 'in', runs)
    .where(isActive)
    .$if(owner !== null, (query) => query.where('owner', '=', owner))
    .returning(['id', 'state'])
    .execute();
  const recorded = new Map(updated.map(({ id, state }) => [id, state]));
  const others = runs.filter((run) => !recorded.has(run));
  if (others.length === 0) return { recorded, rest: new Map() };
  const rows = await tx.selectFrom('runs').select(['id', 'state']).where('id', 'in', others).execute();
  return { recorded, rest: new Map(rows.map(({ id, state }) => [id, state])) };
};
