import { getSystemErrorMessage } from 'node:util';

/** `ENOENT` and its like, or null for any other error. */
export function systemErrorCode(cause: unknown): string | null {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : null;
}

/** The system's own words, `no such file or directory`, without the path and call that Node adds. */
export function systemErrorWords(cause: unknown): string {
  if (cause instanceof Error && 'errno' in cause && typeof cause.errno === 'number') {
    return getSystemErrorMessage(cause.errno) ?? cause.message;
  }
  return cause instanceof Error ? cause.message : String(cause);
}
