import { OrcaError } from '../errors/orca-error.ts';
import type { StateHost } from './state-host.ts';

/** Why nothing more can be written where `path` lies, as the end of a sentence; null when something can. */
export function whyFull(path: string, host: StateHost): string | null {
  const { bavail, bfree, blocks, ffree, files } = host.statfs(path);
  // A file system that counts no blocks or files (0 of 0) has no such bound.
  if (blocks > 0 && (host.uid === 0 ? bfree : bavail) <= 0) return 'no free block is left';
  return files > 0 && ffree <= 0 ? 'no further file can be made' : null;
}

/** Throws when the file system has no room left; asked before something is added, not before reading or killing. */
export function checkRoom(path: string, host: StateHost): void {
  const why = whyFull(path, host);
  if (why !== null) throw new OrcaError('state-full', { path, why });
}

/** So little is soon gone: the outputs of runs go there too. */
const scarceBytes = 100 * 1024 ** 2;
const scarceFiles = 1000;

/** What is left where `path` lies, when it is so little that it is worth a warning: bytes, files or both; else null. */
export function scarceRoom(
  path: string,
  host: StateHost,
): { readonly bytes: number | null; readonly files: number | null } | null {
  const { bsize, bavail, bfree, blocks, ffree, files } = host.statfs(path);
  const free = (host.uid === 0 ? bfree : bavail) * bsize;
  const bytes = blocks > 0 && free < scarceBytes ? free : null;
  const left = files > 0 && ffree < scarceFiles ? ffree : null;
  return bytes === null && left === null ? null : { bytes, files: left };
}
