/** A run as the rest of orca sees it: its row, with what the row keeps as JSON read back. */
import { sql } from 'kysely';
import { noExtras, type Extras } from '../runs/extras.ts';
import { noNeeds, type Needs } from '../runs/needs.ts';
import { usualOomRules, type OomRules } from '../runs/oom-rules.ts';
import type { Paused } from '../runs/paused.ts';
import type { Bytes } from '../units/brands.ts';
import type { Db, RunRow, StartRow } from './schema.ts';

/** What is stored of a run itself. */
export interface StoredRun extends Omit<
  RunRow,
  'argv' | 'settings' | 'oom' | 'needs' | 'extras' | 'secrets' | 'paused'
> {
  readonly argv: readonly string[];
  readonly settings: Readonly<Record<string, string>>;
  readonly oom: OomRules;
  readonly needs: Needs;
  readonly extras: Extras;
  /** Where each secret is kept, by the variable that it goes into. */
  readonly secrets: Readonly<Record<string, string>>;
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
  argv: JSON.parse(row.argv) as string[],
  settings: JSON.parse(row.settings) as Record<string, string>,
  oom: parsed<OomRules>(row.oom) ?? usualOomRules,
  needs: needsOf(row),
  extras: { ...noExtras, ...parsed<Partial<Extras>>(row.extras) },
  secrets: parsed<Record<string, string>>(row.secrets) ?? {},
  paused: pausedOf(row),
});

export const needsOf = ({ needs }: Pick<RunRow, 'needs'>): Needs => parsed<Needs>(needs) ?? noNeeds;

export const pausedOf = ({ paused }: Pick<RunRow, 'paused'>): Paused | null => parsed<Paused>(paused);

const parsed = <T>(json: string | null): T | null => (json === null ? null : (JSON.parse(json) as T));
