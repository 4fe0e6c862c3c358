import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** An older program finds nothing of the logs that were moved, and reads all else as it was. */
export const movedLogs: Migration = {
  number: 7,
  name: 'logs in an object storage',
  breaking: false,
  up: async (db) => {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  // Where the logs go once the start is over, as the address of a folder; null: they stay in their files.
  'alter table starts add column logs_to text',
  // What lies there of them; null: nothing is known to, yet.
  'alter table starts add column moved_logs text',
  `create index starts_to_move on starts (run) where logs_to is not null and moved_logs is null`,
] as const;
