import { randomUUID } from 'node:crypto';
import { closeSync, openSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { systemErrorCode, systemErrorWords } from '../client/system-error.ts';
import { OrcaError } from '../errors/orca-error.ts';
import type { Context } from './context.ts';
import { pathHere } from './path-here.ts';
import { rangeWords } from './printed-numbers.ts';

/** The file that tells who comes back after a kill which runs were made: a handle a line, whole or not there. */
export class IdFile {
  readonly #path: string;

  private constructor(path: string) {
    this.#path = path;
  }

  /** Throws `id-file-unwritable` while nothing has been submitted yet. */
  static check(context: Pick<Context, 'cwd'>, file: string): IdFile {
    const typed = pathHere(context, file);
    try {
      const found = statSync(typed, { throwIfNoEntry: false });
      // A rename would take the place of a device, such as /dev/null.
      if (found !== undefined && !found.isFile())
        throw unwritable(typed, found.isDirectory() ? 'it is a folder' : 'it is no ordinary file');
      const path = found === undefined ? typed : realpathSync(typed);
      const beside = besideOf(path);
      closeSync(openSync(beside, 'wx', 0o600));
      rmSync(beside);
      return new IdFile(path);
    } catch (cause) {
      throw cause instanceof OrcaError ? cause : unwritable(typed, wordsOf(cause), cause);
    }
  }

  /** Null, or why it could not be kept: the runs are accepted by now. */
  write(handles: readonly string[]): string | null {
    const beside = besideOf(this.#path);
    try {
      writeFileSync(beside, handles.map((handle) => `${handle}\n`).join(''), { flag: 'wx', mode: 0o666 });
      renameSync(beside, this.#path);
      return null;
    } catch (cause) {
      rmSync(beside, { force: true });
      return `${this.#path} could not be written: ${wordsOf(cause)}`;
    }
  }
}

const besideOf = (path: string): string => join(dirname(path), `.${basename(path).slice(0, 100)}.${randomUUID()}`);

const wordsOf = (cause: unknown): string =>
  systemErrorCode(cause) === 'ENOENT' ? 'its folder is not there' : systemErrorWords(cause);

const unwritable = (path: string, why: string, cause?: unknown): OrcaError =>
  new OrcaError('id-file-unwritable', { path, why }, cause);

/** The runs were accepted, and the file does not tell which. */
export function idFileLost(runs: readonly number[], why: string): OrcaError {
  if (runs.length === 0) return new OrcaError('id-file-lost', { what: 'No run was', why, runs: '' });
  const what = runs.length === 1 ? `Run ${rangeWords(runs)} is` : `Runs ${rangeWords(runs)} are`;
  const some = runs.length > 20 ? `${runs.slice(0, 20).join(' ')} …` : runs.join(' ');
  return new OrcaError('id-file-lost', { what, why, runs: some });
}
