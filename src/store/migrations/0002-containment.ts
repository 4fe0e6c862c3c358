import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** An older program removes no cgroups, keeps no raises and follows no rules on deaths for memory, and reads all else as it was. */
export const containment: Migration = {
  number: 2,
  name: 'cgroups, raises and rules on deaths for memory',
  breaking: false,
  up: async (db) => {
    await sql.raw('alter table starts add column cgroup text').execute(db);
    await sql.raw('alter table runs add column oom text').execute(db);
    await sql
      .raw(
        `create table raises (
          command text primary key,
          raised_bytes bigint not null,
          memory_min_bytes bigint,
          memory_max_bytes bigint,
          successes bigint not null,
          raised_at bigint not null
        )`,
      )
      .execute(db);
  },
};
