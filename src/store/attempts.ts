import type { Insertable } from 'kysely';
import type { Verdict } from '../runs/states.ts';
import type { Millis, RunId } from '../units/brands.ts';
import { fixed, pick } from './fixed.ts';
import type { AttemptRow, AttemptsTable, Db, Tx } from './schema.ts';
import { storableText } from './text.ts';

export interface AttemptKey {
  readonly run: RunId;
  readonly start: number;
  /** `main` for a plain command. */
  readonly step: string;
  /** From 1 within its step. */
  readonly n: number;
}

export const beginAttempt = async (tx: Tx, key: AttemptKey, at: Millis): Promise<void> => {
  await tx
    .insertInto('attempts')
    .values({ ...key, state: 'running', started_at: at })
    .execute();
};

export interface EndOfAttempt extends Partial<
  Pick<AttemptRow, 'peak_rss_bytes' | 'cpu_seconds' | 'peak_cpus' | 'memory_stall_ms' | 'memory_stall_full_ms'>
> {
  readonly state: Verdict;
  readonly error: string | null;
  readonly ended_at: Millis;
}

/** Keeps an attempt that began and ended unheard of: a plain command's, whose process is its only one. */
export const addEndedAttempt = async (tx: Tx, key: AttemptKey, startedAt: Millis, end: EndOfAttempt): Promise<void> => {
  const row: NewAttempt = { ...key, ...end, error: storableText(end.error), started_at: startedAt };
  await insertEnded(tx, row, Object.keys(row));
};

type NewAttempt = Insertable<AttemptsTable>;

const insertEnded = fixed((db, value: NewAttempt, columns) => db.insertInto('attempts').values(pick(value, columns)));

/** Ends one attempt; false when it had ended: it keeps what it ended with. */
export const endAttempt = async (tx: Tx, key: AttemptKey, end: EndOfAttempt): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('attempts')
    .set({ ...end, error: storableText(end.error) })
    .where('run', '=', key.run)
    .where('start', '=', key.start)
    .where('step', '=', key.step)
    .where('n', '=', key.n)
    .where('state', '=', 'running')
    .executeTakeFirst();
  return numUpdatedRows === 1n;
};

/** Gives the attempts that were unfinished when their process ended its verdict. */
export const endUnfinishedAttempts = async (tx: Tx, run: RunId, start: number, end: EndOfAttempt): Promise<void> => {
  await tx
    .updateTable('attempts')
    .set({ ...end, error: storableText(end.error) })
    .where('run', '=', run)
    .where('start', '=', start)
    .where('state', '=', 'running')
    .execute();
};

export const attemptsOf = async (db: Db, run: RunId): Promise<AttemptRow[]> =>
  db
    .selectFrom('attempts')
    .selectAll()
    .where('run', '=', run)
    .orderBy('start')
    .orderBy('started_at')
    .orderBy('step')
    .orderBy('n')
    .execute();
