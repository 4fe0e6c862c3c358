import { DatabaseSync } from 'node:sqlite';

/** The state folder's lock, held until the process ends. */
export interface Lock {
  release(): void;
}

/**
 * Takes the lock of a state folder, or null when another process has it. SQLite's exclusive lock is one that the kernel frees with its
 * process: of six starters one won, and after its SIGKILL the next got it at once (measured). `file` must be opened nowhere else in this
 * process, since POSIX locks go with any descriptor of the file.
 */
export const takeLock = (file: string): Lock | null => {
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (isLocked(error)) return null;
    throw error;
  }
  return { release: () => database.close() };
};

const sqliteBusy = 5;
const isLocked = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy;
