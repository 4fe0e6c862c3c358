import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** An older program takes a nested run for one that has its own share, and reads all else as it was. */
export const nestedRuns: Migration = {
  number: 4,
  name: 'runs inside runs',
  breaking: false,
  up: async (db) => {
    for (const column of ['parent_run bigint', 'parent_start bigint'])
      await sql.raw(`alter table runs add column ${column}`).execute(db);
  },
};
