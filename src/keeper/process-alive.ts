import { parsePidStat } from '../machine/pid-stat.ts';
import { readText } from '../machine/read-text.ts';
import type { ProcessName } from './records.ts';

/** Where processes are looked up; a record of another boot names nobody. */
export interface ProcessHost {
  /** `/proc`. */
  readonly procRoot: string;
  readonly bootId: string | null;
}

/** Whether that very process still runs: the same start time, and no zombie. */
export function processAlive(procRoot: string, { pid, start }: ProcessName): boolean {
  const stat = parsePidStat(readText(`${procRoot}/${pid}/stat`) ?? '');
  return stat !== null && stat.state !== 'Z' && stat.state !== 'X' && stat.startTicks === start;
}
