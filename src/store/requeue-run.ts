import { sql } from 'kysely';
import type { Bytes, Millis, RunId } from '../units/brands.ts';
import { changeRunState } from './change-state.ts';
import type { Tx } from './schema.ts';

export interface Requeue {
  readonly run: RunId;
  /** The start that has ended. */
  readonly start: number;
  /** The bound that the next start counts against. */
  readonly counts: 'ordinary' | 'oom';
  readonly not_before: Millis | null;
  /** The run's raise; null leaves it as it is. It is never lowered. */
  readonly raised_bytes: Bytes | null;
  readonly held: string | null;
  /** When that start began: if it was the first, so did the run. Null, and left out: it never did. */
  readonly started_at?: Millis | null;
}

/** Puts a run whose start has ended back into the queue for another one. False when late. */
export const requeueRun = async (tx: Tx, again: Requeue): Promise<boolean> => {
  const { run, start, counts, not_before, raised_bytes, held, started_at = null } = again;
  const raised = sql<Bytes>`case when raised_bytes > ${raised_bytes} then raised_bytes else ${raised_bytes} end`;
  return changeRunState(tx, {
    run,
    start,
    to: 'queued',
    change: {
      not_before,
      held,
      ...(counts === 'oom'
        ? { oom_used: sql<number>`oom_used + 1` }
        : { ordinary_used: sql<number>`ordinary_used + 1` }),
      ...(raised_bytes === null ? {} : { raised_bytes: raised }),
      ...(started_at === null ? {} : { started_at: sql<Millis>`coalesce(started_at, ${started_at})` }),
    },
  });
};
