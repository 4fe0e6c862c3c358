import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** An older program reads it in the texts. */
export const lostOutput: Migration = {
  number: 8,
  name: 'why output of a start is not in its log',
  breaking: false,
  up: async (db) => {
    await sql.raw('alter table starts add column lost_output text').execute(db);
  },
};
