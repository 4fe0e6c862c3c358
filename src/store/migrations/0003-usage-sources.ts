import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** An older program does not say where a figure comes from, and reads all else as it was. */
export const usageSources: Migration = {
  number: 3,
  name: 'where the figures of a start come from',
  breaking: false,
  up: async (db) => {
    for (const column of ['peak_source text', 'cpu_source text', 'kernel_cpu_seconds double precision']) {
      await sql.raw(`alter table starts add column ${column}`).execute(db);
    }
  },
};
