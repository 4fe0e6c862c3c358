import { sql } from 'kysely';
import type { RunState } from '../runs/states.ts';
import type { Millis, RunId } from '../units/brands.ts';
import { isActive } from './run.ts';
import type { Flag, Tx } from './schema.ts';
import { storableText } from './text.ts';

export interface KillAsked {
  readonly run: RunId;
  readonly at: Millis;
  /** Whose doing it is: `orca kill by ada`. */
  readonly by: string;
  /** Skip the grace. */
  readonly now: boolean;
}

/**
 * Records a person's kill, before any signal is sent; from then on nothing is started for the run. The first one's time and author stay;
 * a later `now` hurries it. `recorded` is false for a run that is over, and the state null for an unknown one.
 */
export const askKill = async (
  tx: Tx,
  { run, at, by, now }: KillAsked,
): Promise<{ readonly recorded: boolean; readonly state: RunState | null }> => {
  const updated = await tx
    .updateTable('runs')
    .set({
      kill_at: sql<Millis>`coalesce(kill_at, ${at})`,
      kill_by: sql<string>`coalesce(kill_by, ${storableText(by)})`,
      ...(now ? { kill_now: 1 as Flag } : {}),
    })
    .where('id', '=', run)
    .where(isActive)
    .returning('state')
    .executeTakeFirst();
  if (updated !== undefined) return { recorded: true, state: updated.state };
  const row = await tx.selectFrom('runs').select('state').where('id', '=', run).executeTakeFirst();
  return { recorded: false, state: row?.state ?? null };
};
