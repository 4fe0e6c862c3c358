import { sql } from 'kysely';
import { successesKept, successOf, type Success } from '../runs/learning.ts';
import type { Db } from './schema.ts';

const atOnce = 500;

/** The newest clean successes of commands, newest first each; those without any are missing. */
export const lastSuccesses = async (db: Db, commands: readonly string[]): Promise<Map<string, readonly Success[]>> => {
  const found = new Map<string, readonly Success[]>();
  for (const command of await succeeded(db, commands)) {
    const successes = await successesOf(db, command);
    if (successes.length > 0) found.set(command, successes);
  }
  return found;
};

/** Most commands never ran before: they are told apart by one query for many. */
const succeeded = async (db: Db, commands: readonly string[]): Promise<string[]> => {
  const known: string[] = [];
  for (let at = 0; at < commands.length; at += atOnce) {
    const rows = await db
      .selectFrom('runs')
      .select('command')
      .distinct()
      .where('command', 'in', commands.slice(at, at + atOnce))
      .where(isSuccess)
      .execute();
    known.push(...rows.flatMap(({ command }) => command ?? []));
  }
  return known;
};

const successesOf = async (db: Db, command: string): Promise<Success[]> => {
  const rows = await db
    .selectFrom('runs')
    .innerJoin('starts', (join) =>
      join.onRef('starts.run', '=', 'runs.id').onRef('starts.start', '=', 'runs.current_start'),
    )
    .select(['starts.peak_rss_bytes', 'starts.limit_bytes', 'starts.started_at', 'starts.ended_at'])
    .where('runs.command', '=', command)
    .where(isSuccess)
    .where(sql<boolean>`coalesce(starts.oom_kill, 0) = 0`)
    .orderBy('runs.id', 'desc')
    .limit(successesKept)
    .execute();
  return rows.flatMap(({ peak_rss_bytes, limit_bytes, started_at, ended_at }) =>
    started_at === null || ended_at === null
      ? []
      : successOf({ peakBytes: peak_rss_bytes, limitBytes: limit_bytes, startedAt: started_at, endedAt: ended_at }),
  );
};

/** In the index's own words. */
const isSuccess = sql<boolean>`runs.state = 'succeeded'`;
