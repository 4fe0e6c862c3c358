import { OrcaError } from '../errors/orca-error.ts';
import { noNeeds } from '../runs/needs.ts';
import type { RunState } from '../runs/states.ts';
import type { Millis, RunId } from '../units/brands.ts';
import { answersOf, keepAnswers, type Answered } from './answers.ts';
import { takeIds, takeRunIds } from './ids.ts';
import { insertRuns, type NewRun } from './insert-runs.ts';
import { byKey } from './by-key.ts';
import type { KeyHolder } from './key-holders.ts';
import { isActive } from './run.ts';
import type { Tx } from './schema.ts';
import { settleAfter } from './settle-after.ts';
import { withoutNul } from './text.ts';

export interface Asked {
  readonly token: string;
  /** One for each command. */
  readonly runs: readonly NewRun[];
  /** `new`: they make one; a number: they join that. */
  readonly group: 'new' | number | null;
  /** For how long a success holds its key. */
  readonly keyWindow: Millis;
  /** The runs inside which the caller is: waiting for one of them would be waiting for itself. */
  readonly inside: readonly RunId[];
  readonly now: Millis;
  /** Throws where there is no room for so many runs that were not there before. */
  readonly checkRoom: (fresh: number) => void;
}

export interface Made {
  readonly id: RunId;
  readonly run: NewRun;
}

export interface KnownRun {
  readonly run: RunId;
  readonly state: RunState;
  readonly ended_at: Millis | null;
}

export interface Accepted {
  /** One for each command, in order. */
  readonly ids: readonly RunId[];
  /** Those that are new; none when the token was known. */
  readonly made: readonly Made[];
  /** Those that were there, by their keys. */
  readonly known: readonly KnownRun[];
  readonly group: number | null;
}

/**
 * Makes the runs of a submission, but for those whose keys other runs hold: they are its answer there. All is decided in this one command,
 * so that however many ask at the same moment, one makes the run.
 */
export const acceptRuns = async (tx: Tx, asked: Asked): Promise<Accepted> => {
  const keys = keysOf(asked);
  if (
    keys.length === 0 &&
    asked.group === null &&
    !asked.runs.some(({ needs }) => needs !== undefined && needs.after.length > 0)
  )
    return plain(tx, asked);
  // The counter's row is where writers wait for each other: none looks for keys while another one makes their runs.
  await takeIds(tx, 'run', 0);
  const before = await answersOf(tx, withoutNul('The token', asked.token));
  if (before.length > 0) return again(tx, before, asked.runs.length);

  const settled = await withAfterSettled(tx, asked);
  const { fresh, others } = await byKey(tx, { ...asked, runs: settled }, keys);
  const ids = await takeRunIds(tx, fresh.length);
  const group = await groupOf(tx, asked, ids);
  const runs = fresh.map(({ run }) => ({ ...run, group_id: group }));
  const { token, checkRoom } = asked;
  await insertRuns(tx, { token, runs, ids, indices: fresh.map(({ index }) => index), checkRoom });
  const made = runs.map((run, at) => ({ id: ids[at] as RunId, run }));

  const answered = others.map(({ index, holder }) => ({
    index,
    run: 'id' in holder ? holder.id : (ids[holder.fresh] as RunId),
  }));
  await keepAnswers(tx, asked.token, answered, asked.now);
  const holders = [...new Set(others.flatMap(({ holder }) => ('id' in holder ? [holder] : [])))];
  await share(tx, holders);
  const all = [...fresh.map(({ index }, at) => ({ index, run: ids[at] as RunId })), ...answered];
  return {
    ids: inOrder(all),
    made,
    known: holders.map(({ id, state, ended_at }) => ({ run: id, state, ended_at })),
    group,
  };
};

const keysOf = ({ runs }: Asked): string[] => [
  ...new Set(runs.flatMap(({ key }) => (key == null ? [] : [withoutNul('The key', key)]))),
];

/** The usual submission asks for nothing that has to be looked up. */
const plain = async (tx: Tx, { token, runs, checkRoom }: Asked): Promise<Accepted> => {
  const { ids, fresh } = await insertRuns(tx, { token, runs, checkRoom });
  const made = fresh ? runs.map((run, index) => ({ id: ids[index] as RunId, run })) : [];
  return { ids, made, known: [], group: null };
};

const again = async (tx: Tx, before: Awaited<ReturnType<typeof answersOf>>, given: number): Promise<Accepted> => {
  if (before.length !== given) throw new OrcaError('token-reused', { known: before.length, given });
  const own = new Set(before.filter((one) => one.own).map(({ run }) => run));
  const others = before.filter(({ run }) => !own.has(run)).map(({ run }) => run);
  const known =
    others.length === 0
      ? []
      : await tx.selectFrom('runs').select(['id as run', 'state', 'ended_at']).where('id', 'in', others).execute();
  const [first] = own;
  const row =
    first === undefined
      ? undefined
      : await tx.selectFrom('runs').select('group_id').where('id', '=', first).executeTakeFirst();
  return { ids: inOrder(before), made: [], known, group: row?.group_id ?? null };
};

const inOrder = (answered: readonly Answered[]): RunId[] =>
  answered.toSorted((a, b) => a.index - b.index).map(({ run }) => run);

/** All of a submission wait for the same. */
const withAfterSettled = async (tx: Tx, { runs, group }: Asked): Promise<readonly NewRun[]> => {
  const after = runs[0]?.needs?.after ?? [];
  if (after.length === 0) return runs;
  const young = after.find((one) => typeof group === 'number' && ('run' in one ? one.run : one.group) >= group);
  // It might wait for the group by then.
  if (young !== undefined)
    throw new OrcaError('request-invalid', { why: 'after: who joins a group comes after older runs only' });
  const open = await settleAfter(tx, after);
  return runs.map((run) => ({ ...run, needs: { ...(run.needs ?? noNeeds), after: open } }));
};

const groupOf = async (tx: Tx, { group }: Asked, ids: readonly RunId[]): Promise<number | null> => {
  if (group === null || ids.length === 0) return null;
  if (group === 'new') return ids[0] ?? null;
  const member = await tx.selectFrom('runs').select('id').where('group_id', '=', group).limit(1).executeTakeFirst();
  if (member === undefined) throw new OrcaError('group-unknown', { group });
  return group;
};

/** A run that a second one asked for is no longer its first client's alone: it does not end with that. */
const share = async (tx: Tx, holders: readonly KeyHolder[]): Promise<void> => {
  const ids = holders.map(({ id }) => id);
  if (ids.length === 0) return;
  await tx
    .updateTable('runs')
    .set({ owner: null })
    .where('id', 'in', ids)
    .where('owner', 'is not', null)
    .where(isActive)
    .execute();
};
