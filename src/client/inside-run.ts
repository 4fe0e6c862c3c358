import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The number of the run that the caller is part of, when that run is of this state folder; else null. The environment alone
 * proves nothing (it may have been copied): a start of that run must carry the same uuid.
 */
export function insideRun(state: string, env: Readonly<Record<string, string | undefined>>): string | null {
  const run = env['ORCA_RUN_ID'];
  const uuid = env['ORCA_START'];
  if (run === undefined || uuid === undefined || !/^\d+$/.test(run) || uuid === '') return null;
  const starts = join(state, 'starts');
  const mine = namesIn(starts).filter((name) => name.startsWith(`${run}.`));
  return mine.some((name) => uuidOf(join(starts, name, 'pid')) === uuid) ? run : null;
}

function uuidOf(pidFile: string): string | null {
  try {
    const value: unknown = JSON.parse(readFileSync(pidFile, 'utf8'));
    return typeof value === 'object' && value !== null && 'uuid' in value ? String(value.uuid) : null;
  } catch {
    return null;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
