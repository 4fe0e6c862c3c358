/** The only place where the state of a run or of a start is written. Legal changes are those of `src/runs/transitions.ts`. */
import { sql, type Expression, type SqlBool, type UpdateObject } from 'kysely';
import type { RunState } from '../runs/states.ts';
import {
  IllegalTransition,
  isFinal,
  mayRunGo,
  mayStartGo,
  runStatesBefore,
  startStatesBefore,
  type StartState,
} from '../runs/transitions.ts';
import type { RunId } from '../units/brands.ts';
import type { Database, Tx } from './schema.ts';

export interface RunMove {
  readonly run: RunId;
  /** The fence: only while this start is the one that is going on. Null: only while the run is queued. */
  readonly start: number | null;
  readonly to: RunState;
  readonly change?: Omit<UpdateObject<Database, 'runs'>, 'state'>;
  /** What else has to hold; where it does not, nothing changes. */
  readonly when?: Expression<SqlBool>;
}

/**
 * Whether the run went there. False for a run that is final, is unknown, or has another start by now: whoever asks is late.
 * Throws `IllegalTransition` where it is not late and yet may not.
 */
export const changeRunState = async (tx: Tx, { run, start, to, change = {}, when }: RunMove): Promise<boolean> => {
  const before = runStatesBefore(to).filter((state) => (state === 'queued') === (start === null));
  const leavesStart = to === 'queued' || isFinal(to);
  if (before.length > 0) {
    const { numUpdatedRows } = await tx
      .updateTable('runs')
      .set({ ...change, state: to })
      .where('id', '=', run)
      .where('state', 'in', before)
      .$if(start !== null, (query) => query.where('current_start', '=', start))
      .$if(leavesStart, (query) => query.where(noStartGoesOn))
      .$if(when !== undefined, (query) => query.where(when as Expression<SqlBool>))
      .executeTakeFirst();
    if (numUpdatedRows === 1n) return true;
  }

  const row = await tx.selectFrom('runs').select(['state', 'current_start']).where('id', '=', run).executeTakeFirst();
  if (row === undefined || isFinal(row.state)) return false;
  if ((row.state === 'queued') !== (start === null)) return false;
  if (start !== null && row.current_start !== start) return false;
  if (when !== undefined && mayRunGo(row.state, to)) return false;
  const why = mayRunGo(row.state, to) ? ' while its start goes on' : '';
  throw new IllegalTransition(`Run ${run}`, row.state, to + why);
};

const noStartGoesOn = sql<boolean>`not exists (
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
  const { numUpdatedRows } = await tx
    .updateTable('starts')
    .set({ ...change, state: to })
    .where('run', '=', run)
    .where('start', '=', start)
    .where('state', 'in', startStatesBefore(to))
    .where(isCurrent)
    .executeTakeFirst();
  if (numUpdatedRows === 1n) return true;

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

const isCurrent = sql<boolean>`exists (
  select 1 from runs where runs.id = starts.run and runs.current_start = starts.start
  and runs.state in ('starting', 'running'))`;
