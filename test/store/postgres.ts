/** A Postgres of the tests' own: a cluster in a temporary folder, reached by a Unix socket only, gone with the test process. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

export interface TestPostgres {
  /** The address of a new, empty schema. */
  newSchema(): Promise<string>;
  /** Runs SQL in that schema, past the store. */
  query(url: string, sql: string): Promise<readonly Record<string, unknown>[]>;
  stop(): Promise<void>;
}

const programs = (): string | null => {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).map(Number) : [];
  const newest = Math.max(0, ...versions.filter((version) => version >= 15));
  return newest > 0 && existsSync(`${root}/${newest}/bin/initdb`) ? `${root}/${newest}/bin` : null;
};

/** Why there is none here; null when there can be one. A required one that is missing fails instead of being skipped. */
export const postgresMissing = (required: string | undefined): string | null => {
  if (programs() !== null) return null;
  const why = 'PostgreSQL 15 or newer is not installed under /usr/lib/postgresql';
  if ((required ?? '').split(',').includes('postgres')) throw new Error(`${why}, and ORCA_TEST_REQUIRE names postgres`);
  return why;
};

export const startPostgres = async (): Promise<TestPostgres> => {
  const bin = programs();
  if (bin === null) throw new Error('no PostgreSQL');
  const folder = await mkdtemp(join(tmpdir(), 'orca-pg-'));
  // The server refuses to be root's.
  const user = userInfo().uid === 0 ? serverUser() : null;
  if (user !== null) {
    await chmod(folder, 0o755);
    await chown(folder, user.uid, user.gid);
  }
  const as = user === null ? {} : { uid: user.uid, gid: user.gid };
  const data = join(folder, 'data');

  const initdb = ['-D', data, '-U', 'orca', '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale=C'];
  execFileSync(`${bin}/initdb`, initdb, { ...as, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });

  // Its shell reads our pipe: when this process is gone, however it went, the server goes too.
  const script = `"$@" & server=$!; read -r _; kill -QUIT $server; wait $server`;
  const options = ['-c', 'listen_addresses=', '-c', `unix_socket_directories=${folder}`, '-c', 'fsync=off'];
  const server = [`${bin}/postgres`, '-D', data, ...options];
  const child = spawn('sh', ['-c', script, 'sh', ...server], { ...as, cwd: folder, stdio: ['pipe', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log = (log + String(chunk)).slice(-4000)));
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));

  const base = `postgres://orca@/postgres?host=${encodeURIComponent(folder)}`;
  const stop = async (): Promise<void> => {
    child.stdin.end('\n');
    await exited;
    await rm(folder, { recursive: true, force: true });
  };
  for (const deadline = Date.now() + 20_000; ; await pause(20)) {
    if (
      await ask(base, 'select 1').then(
        () => true,
        () => false,
      )
    )
      break;
    if (Date.now() > deadline || child.exitCode !== null) {
      await stop();
      throw new Error(`PostgreSQL did not start: ${log}`);
    }
  }

  let schemas = 0;
  return {
    newSchema: async () => {
      const name = `t${++schemas}`;
      await ask(base, `create schema ${name}`);
      return `${base}&options=${encodeURIComponent(`-c search_path=${name}`)}`;
    },
    query: ask,
    stop,
  };
};

const ask = async (url: string, sql: string): Promise<readonly Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
};

const serverUser = (): { readonly name: string; readonly uid: number; readonly gid: number } => {
  for (const name of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = ['-u', '-g'].map((what) =>
        Number(execFileSync('id', [what, name], { stdio: ['ignore', 'pipe', 'ignore'] })),
      );
      if (uid !== undefined && gid !== undefined) return { name, uid, gid };
    } catch {
      // No such user; the next.
    }
  }
  throw new Error('neither the user postgres nor nobody is here to run PostgreSQL as');
};
