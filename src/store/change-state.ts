/** The only place where the state of a run or of a start is written. Legal changes are those of `src/runs/transitions.ts`. */
import { isExpression, sql, type SqlBool, type UpdateObject } from 'kysely';
import type { RunState } from '../runs/states.ts';
import {
  IllegalTransition,
  isFinal,
  mayRunGo,
  mayStartGo,
  runStatesBefore,
  startStatesBefore,
  type FinalState,
  type StartState,
} from '../runs/transitions.ts';
import type { RunId } from '../units/brands.ts';
import { fixed, pick } from './fixed.ts';
import type { Database, Db, Tx } from './schema.ts';

export interface RunMove {
  readonly run: RunId;
  /** The fence: only while this start is the one that is going on. Null: only while the run is queued. */
  readonly start: number | null;
  readonly to: RunState;
  readonly change?: Omit<UpdateObject<Database, 'runs'>, 'state'>;
  /** The number of the start that it is claimed for: nothing changes when that is not new, or a person asked for the run's end. */
  readonly claim?: number;
}

/**
 * Whether the run went there. False for a run that is final, is unknown, or has another start by now: whoever asks is late.
 * Throws `IllegalTransition` where it is not late and yet may not.
 */
export const changeRunState = async (tx: Tx, { run, start, to, change = {}, claim }: RunMove): Promise<boolean> => {
  if (runStatesBefore(to).some((state) => (state === 'queued') === (start === null))) {
    const fences = [...(start === null ? [] : ['start']), ...(claim === undefined ? [] : ['claim'])];
    const columns = [to, fences.join(' '), ...given(change)];
    if (await changed(moveRun, buildRunMove, tx, { ...change, run, start, claim }, columns)) return true;
  }

  const row = await tx.selectFrom('runs').select(['state', 'current_start']).where('id', '=', run).executeTakeFirst();
  if (row === undefined || isFinal(row.state)) return false;
  if ((row.state === 'queued') !== (start === null)) return false;
  if (start !== null && row.current_start !== start) return false;
  if (claim !== undefined && mayRunGo(row.state, to)) return false;
  const why = mayRunGo(row.state, to) ? ' while its start goes on' : '';
  throw new IllegalTransition(`Run ${run}`, row.state, to + why);
};

type Values = Readonly<Record<string, unknown>>;

/** `columns`: where to, the fences, what changes. */
const buildRunMove = (db: Db, value: Values, [to, fences = '', ...columns]: readonly string[]) => {
  const state = to as RunState;
  const fenced = fences.includes('start');
  return db
    .updateTable('runs')
    .set({ ...pick(value, columns), state })
    .where('id', '=', value['run'] as RunId)
    .where(
      'state',
      'in',
      runStatesBefore(state).filter((before) => (before === 'queued') === !fenced),
    )
    .$if(fenced, (query) => query.where('current_start', '=', value['start'] as number))
    .$if(state === 'queued' || isFinal(state), (query) => query.where(noStartGoesOn))
    .$if(fences.includes('claim'), (query) =>
      query.where('current_start', '<', value['claim'] as number).where('kill_at', 'is', null),
    );
};

/** What is undefined stays as it is. */
const given = (change: object): string[] =>
  Object.entries(change).flatMap(([column, value]) => (value === undefined ? [] : [column]));

const moveRun = fixed(buildRunMove);

/** Runs an update by its kept text, or, when an expression is among the values, by one made for it. */
const changed = async (
  kept: typeof moveRun,
  build: typeof buildRunMove | typeof buildStartMove,
  tx: Tx,
  values: Values,
  columns: readonly string[],
): Promise<boolean> => {
  const made = Object.values(values).some((value) => isExpression(value));
  const { numAffectedRows } = made
    ? await tx.executeQuery(build(tx, values, columns).compile())
    : await kept(tx, values, columns);
  return numAffectedRows === 1n;
};

/** Ends those of these runs that are queued, all in the same way; which they were. At most some hundreds at once. */
export const endQueuedRuns = async (
  tx: Tx,
  runs: readonly RunId[],
  to: FinalState,
  change: Omit<UpdateObject<Database, 'runs'>, 'state'>,
): Promise<RunId[]> => {
  if (!mayRunGo('queued', to)) throw new IllegalTransition(`Runs ${runs.slice(0, 3).join(', ')}`, 'queued', to);
  const ended = await tx
    .updateTable('runs')
    .set({ ...change, state: to })
    .where('id', 'in', runs)
    .where('state', '=', 'queued')
    .where(noStartGoesOn)
    .returning('id')
    .execute();
  return ended.map(({ id }) => id);
};

const noStartGoesOn = sql<SqlBool>`not exists (
  select 1 from starts where starts.run = runs.id and starts.state in ('starting', 'running'))`;

export interface StartMove {
  readonly run: RunId;
  readonly start: number;
  readonly to: StartState;
  readonly change?: Omit<UpdateObject<Database, 'starts'>, 'state' | 'run' | 'start'>;
}

/**
 * Whether the start went there. False for one that is over, is unknown, or is no longer the last start of an active run: a late report
 * changes nothing.
 */
export const changeStartState = async (tx: Tx, { run, start, to, change = {} }: StartMove): Promise<boolean> => {
  if (await changed(moveStart, buildStartMove, tx, { ...change, run, start }, [to, ...given(change)])) return true;

  const row = await tx
    .selectFrom('starts')
    .select('state')
    .where('run', '=', run)
    .where('start', '=', start)
    .executeTakeFirst();
  const goesOn = row !== undefined && (row.state === 'starting' || row.state === 'running');
  if (goesOn && row.state !== to && !mayStartGo(row.state, to)) {
    throw new IllegalTransition(`Start ${start} of run ${run}`, row.state, to);
  }
  return false;
};

const buildStartMove = (db: Db, value: Values, [to, ...columns]: readonly string[]) => {
  const state = to as StartState;
  return db
    .updateTable('starts')
    .set({ ...pick(value, columns), state })
    .where('run', '=', value['run'] as RunId)
    .where('start', '=', value['start'] as number)
    .where('state', 'in', startStatesBefore(state))
    .where(isCurrent);
};

const moveStart = fixed(buildStartMove);

const isCurrent = sql<SqlBool>`exists (
  select 1 from runs where runs.id = starts.run and runs.current_start = starts.start
  and runs.state in ('starting', 'running'))`;
