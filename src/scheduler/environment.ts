import { closeSync, fsync, linkSync, openSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { withoutStartVariables } from '../settings/start-variables.ts';
import type { RunId } from '../units/brands.ts';
import { stateError } from './state-error.ts';
import { envFile, type StateFolder } from './state-folder.ts';

/** The caller's environment on its way to the runs of one submission. */
export interface Captured {
  /** Makes it the run's own file. */
  give(run: RunId): void;
  /** After the last `give`: resolves when its bytes and all names of it are on disk. Before that nothing is acknowledged. */
  toDisk(): Promise<void>;
  /** Instead: it is nobody's. */
  drop(): void;
}

/**
 * Writes a caller's environment once; each run gets a link of its own, so that a thousand runs cost one write. The file is the run's and
 * 0600, `NAME=value` entries ended by NUL as the kernel keeps them. A few KB, so they are written at once; only the disk is waited for
 * beside other work.
 */
export const captureEnvironment = (state: StateFolder, environment: Readonly<Record<string, string>>): Captured => {
  const file = join(state.runs, `capture-${randomUUID()}`);
  const entries = Object.entries(withoutStartVariables(environment));
  const descriptor = write(file, entries.map(([name, value]) => `${name}=${value}\0`).join(''), state);
  return {
    give: (run) => {
      try {
        linkSync(file, envFile(state, run));
      } catch {
        // A file of that name is of a number that was given before and came to nothing.
        rmSync(envFile(state, run), { force: true });
        linkSync(file, envFile(state, run));
      }
    },
    toDisk: () => {
      rmSync(file, { force: true });
      return synced(descriptor, state);
    },
    drop: () => {
      rmSync(file, { force: true });
      closeSync(descriptor);
    },
  };
};

/** Those of several submissions, by their places; what is the same is written once. */
export interface CapturedAll extends Pick<Captured, 'toDisk' | 'drop'> {
  give(at: number, run: RunId): void;
}

export const captureEnvironments = (
  state: StateFolder,
  environments: readonly Readonly<Record<string, string>>[],
): CapturedAll => {
  const files = new Map<string, Captured>();
  const drop = (): void => {
    for (const file of files.values()) file.drop();
  };
  try {
    const each = environments.map((environment) => {
      const content = JSON.stringify(environment);
      const file = files.get(content) ?? captureEnvironment(state, environment);
      files.set(content, file);
      return file;
    });
    return {
      give: (at, run) => each[at]?.give(run),
      toDisk: async () => void (await Promise.all([...files.values()].map((file) => file.toDisk()))),
      drop,
    };
  } catch (error) {
    drop();
    throw error;
  }
};

const write = (file: string, content: string, state: StateFolder): number => {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(file, 'wx', 0o600);
    writeFileSync(descriptor, content);
    return descriptor;
  } catch (error) {
    if (descriptor !== null) closeSync(descriptor);
    rmSync(file, { force: true });
    throw stateError(error, state);
  }
};

/**
 * Not `fdatasync`: that leaves out the names that were made since the file was written. Beside the store's own sync, so that one commit of the
 * file system's journal does for both.
 */
const synced = (descriptor: number, state: StateFolder): Promise<void> =>
  new Promise((resolve, reject) => {
    fsync(descriptor, (error) => {
      closeSync(descriptor);
      if (error === null) resolve();
      else reject(stateError(error, state));
    });
  });

/** A run's captured environment as `NAME=value` entries. Throws when the file is gone. */
export const readEnvironment = (state: StateFolder, run: RunId): string[] =>
  readFileSync(envFile(state, run), 'utf8')
    .split('\0')
    .filter((entry) => entry !== '');

export const dropEnvironment = (state: StateFolder, run: RunId): void => {
  try {
    unlinkSync(envFile(state, run));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
};
