import { exitStatus } from '../runs/exit-status.ts';
import { addEvents } from '../store/events.ts';
import { finishQueuedRuns, finishRun } from '../store/finish-run.ts';
import { startsOf } from '../store/get-run.ts';
import type { Run } from '../store/run.ts';
import type { Tx } from '../store/schema.ts';
import type { Millis } from '../units/brands.ts';
import { totalUsage } from './total-usage.ts';

interface Killing {
  readonly at: Millis;
  /** Whose doing it is. */
  readonly by: string;
}

/** Ends queued runs that a person wants ended: nothing of them runs. Those that nothing was ever started for, at once. */
export const finishKilled = async (tx: Tx, runs: readonly Run[], { at, by }: Killing): Promise<void> => {
  const end = {
    state: 'killed',
    evidence: 'user-kill',
    exit_code: null,
    signal: null,
    exit_status: exitStatus({ state: 'killed', exitCode: null, evidence: null }),
    ended_at: at,
  } as const;
  const fresh = runs.filter((run) => run.starts_count === 0);
  if (fresh.length > 0) {
    const ids = fresh.map(({ id }) => id);
    await finishQueuedRuns(tx, ids, { ...end, text: textOf(by, 0) });
  }
  for (const { id, starts_count: starts } of runs) {
    if (starts === 0) continue;
    const usage = totalUsage(await startsOf(tx, id));
    await finishRun(tx, { run: id, start: null, ...end, text: textOf(by, starts), ...usage });
  }
  const told = runs.map(({ id, starts_count: starts }) => ({
    run: id,
    at,
    kind: 'finished',
    data: { state: 'killed', text: textOf(by, starts) },
  }));
  await addEvents(tx, told);
};

const textOf = (by: string, starts: number): string =>
  `killed before it was started${starts > 0 ? ' again' : ''}: ${by}`;
