import { readText } from './read-text.ts';
import { parsePidStat } from './pid-stat.ts';

/** Whether a process of that number runs; a zombie does not (seed 001: alive). */
export const isAlive = (procRoot: string, pid: number): boolean => {
  const text = readText(`${procRoot}/${pid}/stat`);
  const state = text === null ? null : (parsePidStat(text)?.state ?? null);
  return state !== null && state !== 'Z' && state !== 'X';
};
