import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { OrcaError } from '../errors/orca-error.ts';
import type { Engine } from './engine.ts';
import { LogSync } from './log-sync.ts';
import { explainPostgres } from './postgres-errors.ts';
import type { Database, Db } from './schema.ts';

const oldestServer = 150000;
/** Any number, the same in every program that changes this schema. */
const schemaLock = 5_720_129;

/** Connects at once, so that a wrong address is known when orca starts. */
export const openPostgres = async (url: string): Promise<Engine> => {
  const write = connect(url, 1);
  const read = connect(url, 4);
  const close = async (): Promise<void> => {
    await Promise.all([write.destroy(), read.destroy()]);
  };
  try {
    await requireVersion(write);
  } catch (error) {
    await close();
    throw explainPostgres(error);
  }
  // The commit of a transaction that has a number of its own waits for the log up to it, with all commits before.
  const logSync = new LogSync(() =>
    read.transaction().execute(async (db) => {
      await sql`set local synchronous_commit to on`.execute(db);
      await sql`select pg_current_xact_id()`.execute(db);
    }),
  );
  return {
    kind: 'postgres',
    write,
    read,
    // The server's own default may be either; what is not durable must not wait for its disk.
    begin: (durable) => `begin; set local synchronous_commit to ${durable ? 'on' : 'off'}`,
    lockSchema: async (db) => {
      await sql`select pg_advisory_xact_lock(${schemaLock})`.execute(db);
    },
    // The commit itself has waited.
    sync: async () => {},
    flush: () => logSync.sync(),
    explain: explainPostgres,
    place: () => 'there',
    close,
  };
};

const connect = (url: string, connections: number): Db => {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    application_name: 'orca',
    connectionTimeoutMillis: 10_000,
    types: { getTypeParser: parserOf as typeof pg.types.getTypeParser },
  });
  // A connection that breaks is replaced when the next one is needed, and its query fails by itself; but an `error` event that nobody
  // hears ends the process: the pool's own for an idle connection, the client's for one in use.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
};

/** bigint comes as text by default; ours are below 2^53. */
const parserOf = (type: number, format?: 'text' | 'binary'): unknown =>
  type === pg.types.builtins.INT8 && format !== 'binary' ? Number : pg.types.getTypeParser(type, format as 'text');

const requireVersion = async (db: Db): Promise<void> => {
  const { rows } = await sql<{ server_version_num: string; server_version: string }>`
    select current_setting('server_version_num') as server_version_num,
           current_setting('server_version') as server_version`.execute(db);
  const version = rows[0];
  if (version === undefined || Number(version.server_version_num) < oldestServer) {
    throw new OrcaError('postgres-too-old', { version: version?.server_version ?? 'unknown' });
  }
};
