import { readText } from './read-text.ts';
import { parsePidStat } from './pid-stat.ts';

/** Whether a process of that number runs; a zombie does not (seed 001: alive), and a thread of another process is none. */
export const isAlive = (procRoot: string, pid: number): boolean => {
  const text = readText(`${procRoot}/${pid}/stat`);
  const state = text === null ? null : (parsePidStat(text)?.state ?? null);
  if (state === null || state === 'Z' || state === 'X') return false;
  // `/proc` has a thread's number, too, though it does not list it; in a container they lie close to an earlier life's pids.
  const leader = /^Tgid:\t(\d+)$/m.exec(readText(`${procRoot}/${pid}/status`) ?? '')?.[1];
  return leader === undefined || Number(leader) === pid;
};
