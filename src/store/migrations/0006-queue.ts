import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** An older program starts runs without regard to what they need besides cpus and memory, and reads all else as it was. */
export const queue: Migration = {
  number: 6,
  name: 'what runs need, and who asked',
  breaking: false,
  up: async (db) => {
    for (const column of runColumns) await sql.raw(`alter table runs add column ${column}`).execute(db);
    await sql.raw('alter table starts add column gpus text').execute(db);
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const runColumns = [
  'submitter text',
  'group_id bigint',
  'key text',
  'command text',
  'needs text',
  'extras text',
  'placement text',
  'secrets text',
  'paused text',
] as const;

const statements = [
  `create index runs_by_key on runs (key, id) where key is not null`,
  `create index runs_by_group on runs (group_id, id) where group_id is not null`,
  // What a command's earlier runs teach is asked for at every submission.
  `create index runs_by_command on runs (command, id) where state = 'succeeded'`,
  // The story of one run, and who waits for the next end of several.
  `create index events_by_run on events (run, id) where run is not null`,
  `create index events_of_no_run on events (id) where run is null`,
  `create table tags (tag text not null, run bigint not null references runs (id), primary key (tag, run))`,
  // A run that is deleted is looked for among them.
  `create index tags_by_run on tags (run)`,
  // What a submission was answered for commands whose keys other runs had: its token has to give the same again.
  `create table answers (token text not null, token_index bigint not null, run bigint not null, at bigint not null,
    primary key (token, token_index))`,
  `create index answers_by_time on answers (at)`,
] as const;
