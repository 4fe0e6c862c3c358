import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The marks `oom` and `killed-by-user` of one start's folder (seed 004). Each belongs to one start and is cleared before
 * the next. That the file is there is all it says: earlier versions wrote scopes (`job`, `machine`) into `oom` that
 * nothing proves any more, so every content is read as a kill for memory that was reported.
 */
const oom = 'oom';
const user = 'killed-by-user';

export const markOom = (folder: string): void => write(folder, oom);
export const wasOomKilled = (folder: string): boolean => existsSync(join(folder, oom));
export const clearOom = (folder: string): void => clear(folder, oom);

/** Written before the signal is sent: a kill by a person wins over every counter. */
export const markUserKill = (folder: string): void => write(folder, user);
export const wasUserKilled = (folder: string): boolean => existsSync(join(folder, user));
export const clearUserKill = (folder: string): void => clear(folder, user);

const write = (folder: string, name: string): void => {
  try {
    writeFileSync(join(folder, name), '1', { mode: 0o600 });
  } catch {
    // Evidence that cannot be kept is evidence that we do not have; the start goes on.
  }
};

const clear = (folder: string, name: string): void => {
  try {
    rmSync(join(folder, name), { force: true });
  } catch {
    // As above.
  }
};
