import { rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OrcaError } from '../errors/orca-error.ts';
import { makeFolders } from '../machine/make-folders.ts';
import { realPath } from '../machine/real-path.ts';
import { lastLogPath } from '../store/log-paths.ts';
import type { StoredRun } from '../store/run.ts';
import type { StartRow, Tx } from '../store/schema.ts';
import type { RunId } from '../units/brands.ts';
import { errorWords } from './error-words.ts';
import { logFolder, plainPipeline, type StateFolder } from './state-folder.ts';

export interface MadeFolder {
  readonly folder: string;
  /** It was not there before. */
  readonly isNew: boolean;
}

/** Where the logs of a run's last start are; null: it had none. */
export const lastFolder = async (tx: Tx, { id, current_start }: StoredRun): Promise<string | null> => {
  const path = current_start === 0 ? null : await lastLogPath(tx, id);
  return path === null ? null : dirname(path);
};

/**
 * The folder for a run's logs: that of its last start, else one that nobody has. Several state folders may share an ORCA_LOGS, and each counts its runs from 1:
 * who comes later gets `<run>.2` (docs/decisions/0039). Within the claim, and so not in another thread: that takes several times as long.
 */
export const makeLogFolder = (state: StateFolder, run: RunId, last: string | null): MadeFolder => {
  const first = logFolder(state, run);
  try {
    if (last !== null && isBelow(state, last)) return { folder: last, isNew: makeFolders(last) };
    for (let folder = first, next = 2; ; folder = `${first}.${next}`, next += 1)
      if (makeFolders(folder)) return { folder, isNew: true };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EIO') throw error;
    throw new OrcaError('logs-unwritable', { path: first, why: errorWords(error) }, error);
  }
};

/** The start was not claimed: nothing is in it. */
export const unmakeLogFolder = (made: MadeFolder | null): void => {
  if (made?.isNew !== true) return;
  try {
    rmdirSync(made.folder);
  } catch {
    // Then it stays, empty.
  }
};

/** The folders of a run's starts below ORCA_LOGS: whatever else has its number there is another state folder's. */
export const ownFolders = (state: StateFolder, starts: readonly Pick<StartRow, 'stdout_path'>[]): string[] =>
  [...new Set(starts.map(({ stdout_path }) => dirname(stdout_path)))].filter((folder) => isBelow(state, folder));

const isBelow = (state: StateFolder, folder: string): boolean => {
  const [wanted, found] = [join(state.logs, plainPipeline), dirname(folder)];
  return wanted === found || realPath(wanted) === realPath(found);
};
