import type { Millis, RunId } from '../units/brands.ts';
import { isOver } from './run.ts';
import type { Db } from './schema.ts';

export interface EndedRun {
  readonly id: RunId;
  readonly ended_at: Millis | null;
  /** The number of the event that told its end; null: it was deleted. */
  readonly event: number | null;
}

/** Those of these runs that are over, the first that was told as ended first. At most a thousand or so at once. */
export const endedRuns = async (db: Db, ids: readonly RunId[]): Promise<EndedRun[]> => {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('runs')
    .where('runs.id', 'in', ids)
    .where(isOver)
    .select((eb) => [
      'runs.id as id',
      'runs.ended_at as ended_at',
      eb
        .selectFrom('events')
        .whereRef('events.run', '=', 'runs.id')
        .where('events.kind', '=', 'finished')
        .select((event) => event.fn.max('events.id').as('event'))
        .as('event'),
    ])
    .execute();
  return rows.sort(byEnd);
};

/** Those whose event is gone ended before all others. */
export const byEnd = (a: EndedRun, b: EndedRun): number =>
  (a.event ?? 0) - (b.event ?? 0) || (a.ended_at ?? 0) - (b.ended_at ?? 0) || a.id - b.id;
