import { sql } from 'kysely';
import type { Migration } from './migration.ts';

export const firstTables: Migration = {
  number: 1,
  name: 'first tables',
  breaking: true,
  up: async (db, engine) => {
    // Only under this very name does SQLite take the column for the row's own number and spare a second index.
    const id = engine === 'embedded' ? 'integer primary key' : 'bigint primary key';
    for (const statement of statements(id)) await sql.raw(statement).execute(db);
  },
};

const usage = `peak_rss_bytes bigint, cpu_seconds double precision, peak_cpus double precision`;

const statements = (id: string): readonly string[] => [
  `create table pipelines (id ${id}, name text not null unique)`,
  `insert into pipelines (id, name) values (1, 'command')`,

  `create table counters (name text primary key, last bigint not null)`,
  `insert into counters (name, last) values ('run', 0), ('event', 0)`,

  `create table meta (key text primary key, value text not null)`,

  `create table runs (
    id ${id},
    pipeline_id bigint not null references pipelines (id),
    token text not null,
    token_index bigint not null,
    name text,
    state text not null,
    argv text not null,
    cwd text not null,
    umask bigint not null,
    env_file bigint not null,
    cpus_milli bigint not null,
    memory_min_bytes bigint,
    memory_max_bytes bigint,
    raised_bytes bigint,
    retries bigint not null,
    ordinary_used bigint not null default 0,
    oom_used bigint not null default 0,
    timeout_ms bigint,
    priority bigint not null,
    stdin_kind text not null,
    stdin_path text,
    owner text,
    settings text not null,
    held text,
    not_before bigint,
    kill_at bigint,
    kill_by text,
    kill_now bigint not null default 0,
    current_start bigint not null default 0,
    evidence text,
    text text,
    exit_code bigint,
    signal bigint,
    exit_status bigint,
    submitted_at bigint not null,
    started_at bigint,
    ended_at bigint,
    ${usage},
    unique (token, token_index)
  )`,
  // Every run is in one of the two. A start touches only the first, which is as small as the queue.
  `create index runs_active on runs (state, id) where state in ('queued', 'starting', 'running')`,
  `create index runs_over on runs (state, id) where state not in ('queued', 'starting', 'running')`,

  `create table starts (
    run bigint not null references runs (id),
    start bigint not null,
    uuid text not null,
    state text not null,
    grant_bytes bigint,
    limit_bytes bigint,
    cap_bytes bigint,
    cpus_milli bigint not null,
    pid bigint,
    keeper_pid bigint,
    boot text,
    claimed_at bigint not null,
    started_at bigint,
    ended_at bigint,
    exit_code bigint,
    signal bigint,
    verdict text,
    evidence text,
    text text,
    next_limit_bytes bigint,
    kernel_peak_bytes bigint,
    stdout_path text not null,
    stderr_path text not null,
    memory_stall_ms bigint,
    memory_stall_full_ms bigint,
    gap bigint not null default 0,
    ${usage},
    primary key (run, start)
  )`,

  `create table attempts (
    run bigint not null,
    start bigint not null,
    step text not null,
    n bigint not null,
    state text not null,
    error text,
    started_at bigint not null,
    ended_at bigint,
    memory_stall_ms bigint,
    memory_stall_full_ms bigint,
    ${usage},
    primary key (run, start, step, n),
    foreign key (run, start) references starts (run, start)
  )`,

  `create table events (id ${id}, run bigint, at bigint not null, kind text not null, data text not null)`,
  `create index events_by_time on events (at)`,
];
