import { sql } from 'kysely';
import type { RunId } from '../units/brands.ts';
import type { AttemptKey } from './attempts.ts';
import type { AttemptRow, Db, Tx } from './schema.ts';

export type AttemptUsage = Pick<AttemptRow, 'peak_rss_bytes' | 'cpu_seconds' | 'peak_cpus'>;

/** The attempts of a start that goes on, in their order; none for who does not know its `ORCA_START`, or comes when it is over. */
export const attemptsOfOwn = async (
  db: Db,
  { run, start, uuid }: { readonly run: RunId; readonly start: number; readonly uuid: string },
): Promise<AttemptRow[]> =>
  db
    .selectFrom('attempts')
    .selectAll()
    .where('run', '=', run)
    .where('start', '=', start)
    .where(
      sql<boolean>`exists (
        select 1 from starts join runs on runs.id = starts.run
        where starts.run = ${run} and starts.start = ${start} and starts.uuid = ${uuid}
        and starts.state in ('starting', 'running') and runs.current_start = starts.start)`,
    )
    .orderBy('started_at')
    .orderBy('step')
    .orderBy('n')
    .execute();

/** Writes what an attempt used; once, since the same report that is sent again later has grown no older. False: it was written before. */
export const writeAttemptUsage = async (tx: Tx, key: AttemptKey, usage: AttemptUsage): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('attempts')
    .set(usage)
    .where('run', '=', key.run)
    .where('start', '=', key.start)
    .where('step', '=', key.step)
    .where('n', '=', key.n)
    .where('peak_rss_bytes', 'is', null)
    .where('cpu_seconds', 'is', null)
    .where('peak_cpus', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
};
