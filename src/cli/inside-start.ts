import { startAround } from '../client/inside-run.ts';
import { parsePidStat } from '../machine/pid-stat.ts';
import { readText } from '../machine/read-text.ts';
import type { SubmitRequest } from '../wire/api.ts';

export interface Caller {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly pid: number;
  /** `/proc`. */
  readonly procRoot: string;
}

/**
 * The start that this process is part of: its environment names one of this state folder, and it descends from that start's
 * keeper, which adopts what loses its parent. Null for any other caller, also where that cannot be told.
 */
export function insideStart(state: string, caller: Caller): NonNullable<SubmitRequest['inside']> | null {
  const around = startAround(state, caller.env);
  if (around?.keeper == null || !descends(caller, around.keeper)) return null;
  return { run: Number(around.run), start: around.uuid };
}

/** No tree of processes is deeper. */
const deepest = 1000;

function descends({ procRoot, pid }: Caller, ancestor: number): boolean {
  let at = pid;
  for (let steps = 0; steps < deepest && at > 0; steps += 1) {
    if (at === ancestor) return true;
    at = parsePidStat(readText(`${procRoot}/${at}/stat`) ?? '')?.parent ?? 0;
  }
  return false;
}
