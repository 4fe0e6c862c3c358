import { sql } from 'kysely';
import type { Millis, RunId } from '../units/brands.ts';
import { changeRunState, changeStartState } from './change-state.ts';
import type { Tx } from './schema.ts';

export interface Running {
  readonly run: RunId;
  readonly start: number;
  readonly pid: number | null;
  readonly keeper_pid: number | null;
  readonly boot: string | null;
  readonly at: Millis;
}

/** The command was executed. False when the report is late. */
export const startRunning = async (tx: Tx, { run, start, at, ...processes }: Running): Promise<boolean> => {
  const change = { ...processes, started_at: at };
  if (!(await changeStartState(tx, { run, start, to: 'running', change }))) return false;
  const firstStarted = sql<Millis>`coalesce(started_at, ${at})`;
  return changeRunState(tx, { run, start, to: 'running', change: { started_at: firstStarted } });
};
