import type { Millis, RunId } from '../units/brands.ts';
import type { Tx } from './schema.ts';

/** A command of a submission, by its place in that, and the run that it got. */
export interface Answered {
  readonly index: number;
  readonly run: RunId;
}

const rowsAtOnce = 5000;

/** Keeps what a submission was answered for commands that got runs of others. */
export const keepAnswers = async (tx: Tx, token: string, answers: readonly Answered[], at: Millis): Promise<void> => {
  for (let from = 0; from < answers.length; from += rowsAtOnce) {
    const rows = answers.slice(from, from + rowsAtOnce);
    await tx
      .insertInto('answers')
      .values(rows.map(({ index, run }) => ({ token, token_index: index, run, at })))
      .execute();
  }
};

/** All that a token was answered, in the commands' order; empty for one that is new. */
export const answersOf = async (tx: Tx, token: string): Promise<(Answered & { readonly own: boolean })[]> => {
  const own = await tx
    .selectFrom('runs')
    .select(['token_index as index', 'id as run'])
    .where('token', '=', token)
    .execute();
  const others = await tx
    .selectFrom('answers')
    .select(['token_index as index', 'run'])
    .where('token', '=', token)
    .execute();
  return [...own.map((row) => ({ ...row, own: true })), ...others.map((row) => ({ ...row, own: false }))].sort(
    (a, b) => a.index - b.index,
  );
};

/** Forgets answers from before `before`: nobody repeats a submission that long after it. Returns how many. */
export const pruneAnswers = async (tx: Tx, before: Millis): Promise<number> => {
  const { numDeletedRows } = await tx.deleteFrom('answers').where('at', '<', before).executeTakeFirst();
  return Number(numDeletedRows);
};
