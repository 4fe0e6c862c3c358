import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The pid of the process that holds the state folder's lock; null when none does, or the system does not tell. */
export function lockHolder(state: string): number | null {
  try {
    const { ino, dev } = statSync(join(state, 'lock.db'));
    return holderOf(readFileSync('/proc/locks', 'utf8'), ino, dev);
  } catch {
    return null;
  }
}

/**
 * Of the lines of /proc/locks (proc_locks(5)), `1: POSIX  ADVISORY  WRITE 3568 fe:00:2531 1073741825 1073742335`: who writes to the file of
 * this number. One on its device is taken before one elsewhere, since some file systems (btrfs, overlay) show another device there than in
 * stat(2).
 */
export function holderOf(locks: string, ino: number, dev: number): number | null {
  const held = locks.split('\n').flatMap((line) => {
    const [, major, minor, file] = /([0-9a-f]+):([0-9a-f]+):(\d+)/.exec(line) ?? [];
    const pid = /\bWRITE\s+(\d+)\b/.exec(line)?.[1];
    if (file !== String(ino) || pid === undefined || line.includes('->')) return [];
    return [{ pid: Number(pid), same: device(major, minor) === dev }];
  });
  return (held.find(({ same }) => same) ?? held[0])?.pid ?? null;
}

/** As makedev(3) has it, for the small numbers that there are. */
const device = (major = '', minor = ''): number => {
  const low = Number.parseInt(minor, 16);
  return Number.parseInt(major, 16) * 256 + (low & 0xff) + (low >> 8) * 0x100000;
};
