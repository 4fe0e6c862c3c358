import { sql } from 'kysely';
import { keyState, type KeyedRun } from '../runs/key.ts';
import type { Millis, RunId } from '../units/brands.ts';
import type { Db } from './schema.ts';

export interface KeyHolder extends KeyedRun {
  readonly id: RunId;
  /** Names its command: that of `commandName`. */
  readonly command: string | null;
}

export interface KeyHolders {
  /** The run that each key gives, where there is one. */
  readonly held: ReadonlyMap<string, KeyHolder>;
  /** Runs that were asked to end and have not yet. */
  readonly dying: ReadonlyMap<string, KeyHolder>;
}

const keysAtOnce = 1000;

/** Who has these keys now. A success holds its own for less than `window`, and no longer once a newer run has the key: how that ended is what counts. */
export const keyHolders = async (db: Db, keys: readonly string[], now: Millis, window: Millis): Promise<KeyHolders> => {
  const held = new Map<string, KeyHolder>();
  const dying = new Map<string, KeyHolder>();
  for (let at = 0; at < keys.length; at += keysAtOnce) {
    const rows = await db
      .selectFrom('runs')
      .select(['id', 'key', 'command', 'state', 'ended_at', 'kill_at'])
      .where('key', 'in', keys.slice(at, at + keysAtOnce))
      .where(mayHold)
      .orderBy('id')
      .execute();
    for (const row of rows) {
      const state = keyState(row, now, window);
      // The newest of several.
      if (row.key !== null && state !== 'free') (state === 'held' ? held : dying).set(row.key, row);
    }
  }
  return { held, dying };
};

const mayHold = sql<boolean>`key is not null and (state in ('queued', 'starting', 'running') or (state = 'succeeded'
  and not exists (select 1 from runs as newer where newer.key = runs.key and newer.id > runs.id)))`;
