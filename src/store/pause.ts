import type { Paused } from '../runs/paused.ts';
import type { RunId } from '../units/brands.ts';
import { pausedOf } from './json-columns.ts';
import { getMeta, setMeta } from './meta.ts';
import type { Db, Tx } from './schema.ts';
import { storableText } from './text.ts';

/** Whether all that waits is held back, and by whom. */
export const readPaused = async (db: Db): Promise<Paused | null> => pausedOf(await getMeta(db, 'paused'));

/** Null lets it go. */
export const setPaused = async (tx: Tx, paused: Paused | null): Promise<void> => setMeta(tx, 'paused', jsonOf(paused));

/** Holds queued runs back, or with null lets them go. Those that changed, by number; others are as they were, or not queued. At most some thousands at once. */
export const setRunsPaused = async (tx: Tx, runs: readonly RunId[], paused: Paused | null): Promise<RunId[]> => {
  if (runs.length === 0) return [];
  const changed = await tx
    .updateTable('runs')
    .set({ paused: jsonOf(paused) })
    .where('id', 'in', runs)
    .where('state', '=', 'queued')
    .where('paused', paused === null ? 'is not' : 'is', null)
    .returning('id')
    .execute();
  return changed.map(({ id }) => id).sort((a, b) => a - b);
};

const jsonOf = (paused: Paused | null): string | null =>
  paused === null
    ? null
    : JSON.stringify({ ...paused, by: storableText(paused.by), reason: storableText(paused.reason) });
