import { fstatSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { isatty } from 'node:tty';
import { systemErrorWords } from '../client/system-error.ts';
import { OrcaError } from '../errors/orca-error.ts';
import type { StdinRequest } from '../wire/api.ts';
import type { Context } from './context.ts';
import { pathHere } from './path-here.ts';

/** What a run's standard input comes from; `pipe` must be spooled first. */
export type StdinSource = Exclude<StdinRequest, { kind: 'spool' }> | { readonly kind: 'pipe' };

/** Why a folder that was named for a file is refused. */
export const isFolder = 'it is a folder';

/** `--stdin FILE`, or `--stdin none`. */
export function namedStdin(file: string, context: Pick<Context, 'cwd'>): StdinSource {
  if (file === 'none') return { kind: 'null' };
  const path = pathHere(context, file);
  try {
    if (statSync(path).isDirectory()) throw new OrcaError('file-unreadable', { path, why: isFolder });
    return { kind: 'file', path: realpathSync(path) };
  } catch (cause) {
    if (cause instanceof OrcaError) throw cause;
    throw new OrcaError('file-unreadable', { path, why: systemErrorWords(cause) }, cause);
  }
}

/**
 * The caller's own standard input: a terminal stays with the caller, a file is named so that each start reads it from its beginning, anything
 * that can be read only once is a pipe. So is a file that was partly read, or has no name any more.
 */
export function inheritedStdin(): StdinSource {
  if (isatty(0)) return { kind: 'null' };
  try {
    const found = fstatSync(0);
    if (found.isFile()) {
      const path = readlinkSync('/proc/self/fd/0');
      const named = statSync(path, { throwIfNoEntry: false });
      const same = named !== undefined && named.ino === found.ino && named.dev === found.dev;
      return same && positionOfStdin() === 0 ? { kind: 'file', path } : { kind: 'pipe' };
    }
    if (found.isCharacterDevice()) {
      const path = readlinkSync('/proc/self/fd/0');
      return path === '/dev/null' ? { kind: 'null' } : { kind: 'file', path };
    }
    return found.isFIFO() || found.isSocket() ? { kind: 'pipe' } : { kind: 'null' };
  } catch {
    // Without /proc nothing tells the file's name; reading it always works.
    return { kind: 'pipe' };
  }
}

function positionOfStdin(): number {
  const line = /^pos:\s*(\d+)/m.exec(readFileSync('/proc/self/fdinfo/0', 'utf8'));
  return Number(line?.[1] ?? Number.NaN);
}
