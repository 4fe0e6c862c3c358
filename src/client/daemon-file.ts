import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DaemonFile } from '../wire/daemon-file.ts';

/** What the file says, or null when it is missing or unreadable: both mean that a daemon is to be found by starting one. */
export function readDaemonFile(state: string): DaemonFile | null {
  try {
    const value: unknown = JSON.parse(readFileSync(join(state, 'daemon.json'), 'utf8'));
    return isDaemonFile(value) ? value : null;
  } catch {
    return null;
  }
}

function isDaemonFile(value: unknown): value is DaemonFile {
  return (
    typeof value === 'object' &&
    value !== null &&
    'socket' in value &&
    typeof value.socket === 'string' &&
    'pid' in value &&
    typeof value.pid === 'number'
  );
}
