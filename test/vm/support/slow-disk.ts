import { existsSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { baseCgroup, diskFolder } from './place.ts';

/** The block device of the tests' disk as the IO controller names it: `8:0` also where the folder is on `8:1`. */
const device = (): string => {
  const { dev } = statSync(diskFolder);
  // As the C library takes them from a dev_t; no disk has a minor number over 255 here.
  const numbers = `${dev >> 8}:${dev & 255}`;
  const partition = `/sys/dev/block/${numbers}`;
  if (!existsSync(join(partition, 'partition'))) return numbers;
  return readFileSync(join(dirname(realpathSync(partition)), 'dev'), 'utf8').trim();
};

/** Lets the cgroups below one have the IO controller; false where it is not there. */
const giveIo = (folder: string): boolean => {
  if (!/\bio\b/.test(readFileSync(join(folder, 'cgroup.controllers'), 'utf8'))) return false;
  writeFileSync(join(folder, 'cgroup.subtree_control'), '+io');
  return true;
};

/** Lets a cgroup read no faster than a slow disk can; whether that can be had here. */
export const slowDisk = (cgroup: string, bytesPerSecond: number, requestsPerSecond: number): boolean => {
  const above: string[] = [];
  for (let folder = dirname(cgroup); folder.startsWith(baseCgroup); folder = dirname(folder)) above.unshift(folder);
  if (above.length === 0 || !above.every((folder) => giveIo(folder))) return false;
  writeFileSync(join(cgroup, 'io.max'), `${device()} rbps=${bytesPerSecond} riops=${requestsPerSecond}`);
  return true;
};
