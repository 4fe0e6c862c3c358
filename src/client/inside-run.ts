import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A start that the caller's environment names and that is one of this state folder's. */
export interface StartAround {
  readonly run: string;
  /** Its `ORCA_START`. */
  readonly uuid: string;
  /** The pid of its keeper, from which all of it descends; null where it is not recorded. */
  readonly keeper: number | null;
}

/**
 * The start that the caller is part of, when it is of this state folder; else null. The environment alone proves nothing (it
 * may have been copied): a start of that run must carry the same uuid.
 */
export function startAround(state: string, env: Readonly<Record<string, string | undefined>>): StartAround | null {
  const run = env['ORCA_RUN_ID'];
  const uuid = env['ORCA_START'];
  if (run === undefined || uuid === undefined || !/^\d+$/.test(run) || uuid === '') return null;
  const starts = join(state, 'starts');
  const mine = namesIn(starts).filter((name) => name.startsWith(`${run}.`));
  for (const name of mine) {
    const record = pidRecord(join(starts, name, 'pid'));
    if (record?.uuid === uuid) return { run, uuid, keeper: record.keeper };
  }
  return null;
}

/** The number of that start's run. */
export const insideRun = (state: string, env: Readonly<Record<string, string | undefined>>): string | null =>
  startAround(state, env)?.run ?? null;

function pidRecord(file: string): { readonly uuid: string; readonly keeper: number | null } | null {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof value !== 'object' || value === null || !('uuid' in value)) return null;
    const keeper = 'keeper' in value && typeof value.keeper === 'object' ? value.keeper : null;
    const pid = keeper !== null && 'pid' in keeper && typeof keeper.pid === 'number' ? keeper.pid : null;
    return { uuid: String(value.uuid), keeper: pid };
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
