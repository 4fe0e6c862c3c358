import { sql } from 'kysely';
import { getMeta, setMeta } from './meta.ts';
import type { Millis } from '../units/brands.ts';
import type { Db, Tx } from './schema.ts';

/** One call's share, so that the other commands of the batch do not wait long. */
const share = 1000;

/** Deletes events from before `before`, except those of runs that are not over. Returns how many; call it again until 0. */
export const pruneEvents = async (tx: Tx, before: Millis): Promise<number> => {
  const deleted = await tx
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
    .returning('id')
    .execute();
  await notePruned(tx, Math.max(0, ...deleted.map(({ id }) => id)));
  return deleted.length;
};

/** Whoever deletes events says so: some with a number up to this one are gone. */
export const notePruned = async (tx: Tx, upTo: number): Promise<void> => {
  if (upTo > (await prunedUpTo(tx))) await setMeta(tx, 'events-pruned', String(upTo));
};

/** The highest number of an event that was deleted; 0 when none was. */
export const prunedUpTo = async (db: Db): Promise<number> => Number((await getMeta(db, 'events-pruned')) ?? 0);

const ofNoActiveRun = sql<boolean>`not exists (
  select 1 from runs where runs.id = old.run and runs.state in ('queued', 'starting', 'running'))`;
