import { sql } from 'kysely';
import type { Millis } from '../units/brands.ts';
import type { Tx } from './schema.ts';

/** One call's share, so that the other commands of the batch do not wait long. */
const share = 1000;

/** Deletes events from before `before`, except those of runs that are not over. Returns how many; call it again until 0. */
export const pruneEvents = async (tx: Tx, before: Millis): Promise<number> => {
  const { numDeletedRows } = await tx
    .deleteFrom('events')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('events as old')
        .select('old.id')
        .where('old.at', '<', before)
        .where(ofNoActiveRun)
        .orderBy('old.at')
        .limit(share),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
};

const ofNoActiveRun = sql<boolean>`not exists (
  select 1 from runs where runs.id = old.run and runs.state in ('queued', 'starting', 'running'))`;
