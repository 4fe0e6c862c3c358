import { exitStatus } from '../runs/exit-status.ts';
import { addEvent } from '../store/events.ts';
import { finishRun } from '../store/finish-run.ts';
import { startsOf } from '../store/get-run.ts';
import type { Run } from '../store/run.ts';
import type { Tx } from '../store/schema.ts';
import type { Millis } from '../units/brands.ts';
import { totalUsage } from './total-usage.ts';

/** Ends a queued run that a person wants ended: nothing of it runs. */
export const finishKilled = async (tx: Tx, run: Run, { at, by }: { at: Millis; by: string }): Promise<void> => {
  const text = `killed before it was started${run.starts_count > 0 ? ' again' : ''}: ${by}`;
  await finishRun(tx, {
    run: run.id,
    start: null,
    state: 'killed',
    evidence: 'user-kill',
    text,
    exit_code: null,
    signal: null,
    exit_status: exitStatus({ state: 'killed', exitCode: null, evidence: null }),
    ended_at: at,
    ...totalUsage(await startsOf(tx, run.id)),
  });
  await addEvent(tx, { run: run.id, at, kind: 'finished', data: { state: 'killed', text } });
};
