import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { parseStatBytes, type PidStat } from './pid-stat.ts';

/**
 * Every process's stat line, in one pass over `/proc`. A process that ends meanwhile is left out. Parents are mostly read
 * before their children (pids ascend), so a child's time is rather missed for a moment than counted twice.
 */
export const readPidStats = (procRoot: string): PidStat[] => {
  const buffer = Buffer.allocUnsafe(4096);
  const stats: PidStat[] = [];
  for (const name of pidNames(procRoot)) {
    const stat = readStatInto(buffer, `${procRoot}/${name}/stat`);
    if (stat !== null) stats.push(stat);
  }
  return stats;
};

/** One process's stat line; null when there is no such process. */
export const readPidStat = (procRoot: string, pid: number): PidStat | null =>
  readStatInto(Buffer.allocUnsafe(4096), `${procRoot}/${pid}/stat`);

/** The folders of `/proc` that are processes. */
export const pidNames = (procRoot: string): string[] => {
  try {
    return readdirSync(procRoot).filter(beginsAsPid);
  } catch {
    return [];
  }
};

const beginsAsPid = (name: string): boolean => {
  const first = name.charCodeAt(0);
  return first >= 49 && first <= 57;
};

const readStatInto = (buffer: Buffer, file: string): PidStat | null => {
  let fd: number | null = null;
  try {
    fd = openSync(file, 'r');
    return parseStatBytes(buffer, readSync(fd, buffer, 0, buffer.length, 0));
  } catch {
    return null;
  } finally {
    if (fd !== null) closeSync(fd);
  }
};
