import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** An older program does not tell the counts, and reads all else as it was. */
export const memoryEvents: Migration = {
  number: 5,
  name: 'what the cgroup of a start counted of deaths for memory',
  breaking: false,
  up: async (db) => {
    for (const column of ['oom', 'oom_kill', 'oom_group_kill'])
      await sql.raw(`alter table starts add column ${column} bigint`).execute(db);
  },
};
