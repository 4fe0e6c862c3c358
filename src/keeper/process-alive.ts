import { readFileSync } from 'node:fs';
import type { ProcessName } from './records.ts';

/** Where processes are looked up; a record of another boot names nobody. */
export interface ProcessHost {
  /** `/proc`. */
  readonly procRoot: string;
  readonly bootId: string | null;
}

/** Whether that very process still runs: the same start time, and no zombie. */
export function processAlive(procRoot: string, { pid, start }: ProcessName): boolean {
  const stat = textOf(`${procRoot}/${pid}/stat`);
  if (stat === null) return false;
  // The command's name stands in parentheses and may hold any byte; fields are counted after the last one (proc(5)).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] !== 'Z' && fields[0] !== 'X' && Number(fields[19]) === start;
}

export const readBootId = (procRoot: string): string | null =>
  textOf(`${procRoot}/sys/kernel/random/boot_id`)?.trim() ?? null;

/** The text of a file; null when it cannot be read, for whatever reason. */
export function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
