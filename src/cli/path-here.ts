import { isUtf8 } from 'node:buffer';
import { isAbsolute, resolve } from 'node:path';
import { OrcaError } from '../errors/orca-error.ts';
import { visibleText } from '../units/visible-text.ts';
import type { Context } from './context.ts';

/** A path that was typed, as a whole one; the current folder is asked for only when it is needed. */
export function pathHere({ cwd }: Pick<Context, 'cwd'>, path: string): string {
  if (isAbsolute(path)) return resolve(path);
  if (cwd === null) throw new OrcaError('folder-gone');
  if (cwd.bytes !== null && !isUtf8(cwd.bytes)) {
    throw new OrcaError('text-not-utf8', { what: `The name of the current folder, ${visibleText(cwd.bytes)},` });
  }
  return resolve(cwd.path, path);
}
