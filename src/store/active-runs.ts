/** What a new daemon rebuilds its memory from. */
import { runId, type RunId } from '../units/brands.ts';
import { fixed } from './fixed.ts';
import { pausedOf, readBack } from './json-columns.ts';
import { runOf, isActive, selectRuns, storedRunOf, type Run, type StoredRun } from './run.ts';
import type { Db, StartRow } from './schema.ts';

/** Every run that has a start, oldest first. Costs what they cost, however many finished ones there are. */
export const startedRuns = async (db: Db): Promise<StoredRun[]> => {
  const rows = await db
    .selectFrom('runs')
    .selectAll()
    .where(isActive)
    .where('state', '<>', 'queued')
    .orderBy('id')
    .execute();
  return rows.map(storedRunOf);
};

/** Commands of runs that are not final, at most so many. */
export const activeCommands = async (db: Db, most: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('runs')
    .select('command')
    .distinct()
    .where(isActive)
    .where('command', 'is not', null)
    .limit(most)
    .execute();
  return rows.flatMap(({ command }) => command ?? []);
};

const readAtOnce = 500;

const queuedColumns = [
  'id',
  'owner',
  'parent_run',
  'placement',
  'priority',
  'cpus_milli',
  'memory_min_bytes',
  'memory_max_bytes',
  'raised_bytes',
  'not_before',
  'paused',
  'held',
  'submitter',
  'command',
  'timeout_ms',
  'needs',
  'group_id',
  'current_start',
] as const;

/** Read to be checked alone: whoever cannot be started for them is known before its turn. */
const checkedColumns = ['argv', 'settings', 'oom', 'extras', 'secrets'] as const;

/** What the queue is filled with. */
export type QueuedRun = Pick<StoredRun, (typeof queuedColumns)[number] | 'damage'>;

/** Every queued run, oldest first, few at a time: 100,000 whole rows took 30 s and 630 MB (2026-11-30). */
export async function* queuedRuns(db: Db): AsyncGenerator<QueuedRun> {
  let after = runId(0);
  for (;;) {
    const { rows } = await readQueued(db, { after });
    for (const row of rows) {
      const { needs, damage } = readBack(row);
      yield { ...row, paused: pausedOf(row.paused), needs, damage };
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

const readQueued = fixed((db, value: { readonly after: RunId }) =>
  db
    .selectFrom('runs')
    .select([...queuedColumns, ...checkedColumns])
    .where(isActive)
    .where('state', '=', 'queued')
    .where('id', '>', value.after)
    .orderBy('id')
    .limit(readAtOnce),
);

/** The runs that are not final and end with this client. */
export const ownedRuns = async (db: Db, owner: string): Promise<Run[]> => {
  const rows = await selectRuns(db).where(isActive).where('runs.owner', '=', owner).execute();
  return rows.map(runOf);
};

/** The starts that have not ended, of all active runs. */
export const activeStarts = async (db: Db): Promise<StartRow[]> =>
  db
    .selectFrom('starts')
    .innerJoin('runs', 'runs.id', 'starts.run')
    .selectAll('starts')
    .where(isActive)
    .where('starts.state', 'in', ['starting', 'running'])
    .orderBy('starts.run')
    .execute();
