import { chmodSync, closeSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { explainEmbedded } from './embedded-errors.ts';
import type { Engine } from './engine.ts';
import { LogSync } from './log-sync.ts';
import { nodeSqliteDialect } from './node-sqlite-dialect.ts';
import type { Database } from './schema.ts';
import type { StoreFile } from './store.ts';

/** How long a statement waits for another program that is writing. */
const busyMs = 5000;

/**
 * A file of our own. Commits survive the death of this process at once (write-ahead log, `synchronous` NORMAL); that of the machine
 * after `sync`, which writes the log through: a commit with FULL would do that for each batch while the event loop waits.
 */
export const openEmbedded = (file: string): Engine => {
  const explain = (error: unknown): unknown => explainEmbedded(error, file);
  try {
    ownFile(file);
    const database = new DatabaseSync(file, { timeout: busyMs });
    try {
      for (const pragma of pragmas) database.exec(pragma);
      return engineOf(database, file, explain);
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    throw explain(error);
  }
};

const pragmas = [
  'pragma journal_mode = wal',
  'pragma synchronous = normal',
  // Once the log is this long (8 MB) it is written back; the default of 4 MB doubles the pauses for that.
  'pragma wal_autocheckpoint = 2000',
  'pragma journal_size_limit = 67108864',
  'pragma temp_store = memory',
];

const engineOf = (database: DatabaseSync, file: string, explain: Engine['explain']): Engine => {
  const write = new Kysely<Database>({ dialect: nodeSqliteDialect(database) });
  const reading = new DatabaseSync(file, { readOnly: true, timeout: busyMs });
  const read = new Kysely<Database>({ dialect: nodeSqliteDialect(reading) });
  const inode = statSync(file).ino;
  let logInode: number | null = null;
  const place = (): StoreFile => {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found !== undefined && found.ino !== inode) return 'replaced';
    // The log is there from the first query on, and holds what was not written back yet: without it the file is an old one.
    const log = statSync(`${file}-wal`, { throwIfNoEntry: false })?.ino ?? null;
    logInode ??= log;
    return found === undefined || log === null || log !== logInode ? 'gone' : 'there';
  };
  let log: FileHandle | null = null;
  const logSync = new LogSync(async () => {
    log ??= await openLog(file);
    await log.datasync();
  });
  return {
    kind: 'embedded',
    write,
    read,
    begin: () => 'begin immediate',
    lockSchema: async () => {},
    sync: () => logSync.sync(),
    flush: () => logSync.sync(),
    explain,
    place,
    close: async (rescue) => {
      reading.close();
      try {
        if (rescue && place() === 'gone') writeAgain(database, file);
        database.exec('pragma wal_checkpoint(truncate)');
      } finally {
        database.close();
        await log?.close();
      }
    },
  };
};

/** The open descriptors still hold everything. A log of the old file that was left beside would be taken for the new one's. */
const writeAgain = (database: DatabaseSync, file: string): void => {
  const draft = `${file}.rescued`;
  rmSync(draft, { force: true });
  database.prepare('vacuum into ?').run(draft);
  chmodSync(draft, 0o600);
  for (const rest of ['-wal', '-shm']) rmSync(file + rest, { force: true });
  renameSync(draft, file);
};

/** The write-ahead log, there from the first commit on; its name and the database's are on disk before anything in them counts. */
const openLog = async (file: string): Promise<FileHandle> => {
  const folder = await open(dirname(file), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
  return open(`${file}-wal`, 'r');
};

/**
 * 0600 from its first moment; SQLite gives its log the same. Made only when it is missing: closing a descriptor of a database file would drop
 * the locks that this process holds on it.
 */
const ownFile = (file: string): void => {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error;
    if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
  }
};

const isErrno = (error: unknown, code: string): boolean =>
  error instanceof Error && (error as NodeJS.ErrnoException).code === code;
