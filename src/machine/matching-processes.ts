import { closeSync, openSync, readSync } from 'node:fs';
import type { PidStat } from './pid-stat.ts';

/**
 * Those processes whose command, as they were called, is exactly this (seed 001: argv0). One without memory of its own, a kernel's thread or a
 * zombie, is not asked: it has no command line.
 */
export const processesCalled = (procRoot: string, command: string, stats: readonly PidStat[]): PidStat[] => {
  const wanted = Buffer.from(`${command}\0`);
  const buffer = Buffer.alloc(wanted.length);
  return stats.filter(
    ({ pid, rssPages }) => rssPages > 0 && begins(`${procRoot}/${pid}/cmdline`, buffer) && buffer.equals(wanted),
  );
};

/** Whether the file has that many bytes, which are then in the buffer. */
const begins = (file: string, buffer: Buffer): boolean => {
  let fd: number | null = null;
  try {
    fd = openSync(file, 'r');
    return readSync(fd, buffer, 0, buffer.length, 0) === buffer.length;
  } catch {
    return false;
  } finally {
    if (fd !== null) closeSync(fd);
  }
};
