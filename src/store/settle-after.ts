import { OrcaError } from '../errors/orca-error.ts';
import { groupHandle } from '../runs/handle.ts';
import type { After } from '../runs/needs.ts';
import { isFinal, type FinalState } from '../runs/transitions.ts';
import type { RunState } from '../runs/states.ts';
import type { RunId } from '../units/brands.ts';
import { firstFailure, groupCounts } from './group.ts';
import type { Db } from './schema.ts';

/**
 * What of it there still is to wait for. Throws for a run or group that is not there, and for one that cannot be waited for any more since
 * it did not succeed. What is there is older than who asks, so that no two runs ever wait for each other.
 */
export const settleAfter = async (db: Db, after: readonly After[]): Promise<After[]> => {
  const open: After[] = [];
  for (const one of after) {
    const over = 'run' in one ? await runOver(db, one.run, one.any) : await groupOver(db, one.group, one.any);
    if (!over) open.push(one);
  }
  return open;
};

const runOver = async (db: Db, run: RunId, any: boolean): Promise<boolean> => {
  const state = await stateOf(db, run);
  if (state === null) throw new OrcaError('run-unknown', { run });
  if (!isFinal(state)) return false;
  if (!any && state !== 'succeeded') throw failed(`Run ${run}`, state, String(run));
  return true;
};

const groupOver = async (db: Db, group: number, any: boolean): Promise<boolean> => {
  const counts = await groupCounts(db, group);
  const states = Object.keys(counts) as RunState[];
  if (states.length === 0) throw new OrcaError('group-unknown', { group });
  const run = any ? null : await firstFailure(db, group);
  const state = run === null ? null : await stateOf(db, run);
  const handle = groupHandle(group);
  if (state !== null && isFinal(state)) throw failed(`Run ${run} of group ${handle}`, state, handle);
  return states.every(isFinal);
};

const stateOf = async (db: Db, run: RunId): Promise<RunState | null> =>
  (await db.selectFrom('runs').select('state').where('id', '=', run).executeTakeFirst())?.state ?? null;

const failed = (what: string, state: FinalState, handle: string): OrcaError =>
  new OrcaError('after-failed', { what, ended: ended[state], handle });

const ended: Readonly<Record<FinalState, string>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  'out-of-memory': 'ran out of memory',
  killed: 'was killed',
  'timed-out': 'took too long',
  lost: 'was lost',
};
