import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** An older program would never remove the cgroup, and reads all else as it was. */
export const cgroups: Migration = {
  number: 2,
  name: 'cgroups',
  breaking: false,
  up: async (db) => {
    await sql.raw('alter table starts add column cgroup text').execute(db);
  },
};
