/** A run as the rest of orca sees it: its row, with what the row keeps as JSON read back. */
import { sql } from 'kysely';
import type { Paused } from '../runs/paused.ts';
import type { Bytes } from '../units/brands.ts';
import { pausedOf, readBack, type ReadBack } from './json-columns.ts';
import type { Db, RunRow, StartRow } from './schema.ts';

/** What is stored of a run itself. */
export interface StoredRun extends Omit<RunRow, keyof ReadBack | 'paused'>, ReadBack {
  /** A person holds it back; null: nobody does. */
  readonly paused: Paused | null;
}

export interface Run extends StoredRun {
  /** Its pipeline's name. */
  readonly pipeline: string;
  /** How many processes were started for it; void starts are none. */
  readonly starts_count: number;
  /** The largest `kernel_peak_bytes` of its starts that died at the limit of their own cgroup. */
  readonly oom_peak_bytes: Bytes | null;
}

export interface RunWithStarts {
  readonly run: Run;
  readonly starts: readonly StartRow[];
}

/** Both engines take an index of active runs only when the query says it in the index's own words, not in parameters. */
export const isActive = sql<boolean>`runs.state in ('queued', 'starting', 'running')`;
export const isOver = sql<boolean>`runs.state not in ('queued', 'starting', 'running')`;

/** The query that all readers of runs begin with. */
export const selectRuns = (db: Db) =>
  db
    .selectFrom('runs')
    .innerJoin('pipelines', 'pipelines.id', 'runs.pipeline_id')
    .selectAll('runs')
    .select((eb) => [
      'pipelines.name as pipeline',
      eb
        .selectFrom('starts')
        .whereRef('starts.run', '=', 'runs.id')
        .where('starts.state', '<>', 'void')
        .select(eb.fn.countAll<number>().as('count'))
        .as('starts_count'),
      eb
        .selectFrom('starts')
        .whereRef('starts.run', '=', 'runs.id')
        .where('starts.evidence', '=', 'own-cgroup')
        .select((start) => start.fn.max('starts.kernel_peak_bytes').as('peak'))
        .as('oom_peak_bytes'),
    ]);

type SelectedRun = RunRow & {
  readonly pipeline: string;
  readonly starts_count: number | null;
  readonly oom_peak_bytes: Bytes | null;
};

export const runOf = (row: SelectedRun): Run => ({ ...storedRunOf(row), starts_count: row.starts_count ?? 0 });

export const storedRunOf = <Row extends RunRow>(row: Row): Omit<Row, keyof StoredRun> & StoredRun => ({
  ...row,
  ...readBack(row),
  paused: pausedOf(row.paused),
});
