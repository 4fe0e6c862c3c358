import type { Insertable } from 'kysely';
import type { Bytes, Millis, RunId } from '../units/brands.ts';
import { changeRunState } from './change-state.ts';
import { fixed, pick } from './fixed.ts';
import type { StartsTable, Tx } from './schema.ts';

export interface Claim {
  readonly run: RunId;
  /** Over every number that was given to this run before; numbers may be left out. */
  readonly start: number;
  readonly uuid: string;
  readonly grant_bytes: Bytes | null;
  readonly limit_bytes: Bytes | null;
  readonly cap_bytes: Bytes | null;
  readonly cgroup?: string | null;
  /** The devices that it has; left out: none. */
  readonly gpus?: readonly string[];
  readonly cpus_milli: number;
  readonly stdout_path: string;
  readonly stderr_path: string;
  /** Where they are moved when it is over; left out: they stay. */
  readonly logs_to?: string | null;
  readonly claimed_at: Millis;
}

/**
 * Takes a queued run for a start. False when the run is not queued any more, a person asked for its end, or the number is not new:
 * then nothing may be started.
 */
export const claimStart = async (tx: Tx, claim: Claim): Promise<boolean> => {
  const { run, start, gpus = [] } = claim;
  const change = { current_start: start, held: null, not_before: null };
  if (!(await changeRunState(tx, { run, start: null, to: 'starting', change, claim: start }))) return false;
  const row: NewStart = { ...claim, gpus: gpus.length === 0 ? null : JSON.stringify(gpus), state: 'starting' };
  await insertStart(tx, row, Object.keys(row));
  return true;
};

type NewStart = Insertable<StartsTable>;

const insertStart = fixed((db, value: NewStart, columns) => db.insertInto('starts').values(pick(value, columns)));
