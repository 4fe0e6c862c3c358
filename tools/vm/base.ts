import { createHash } from 'node:crypto';
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { writeArchive, type Entry } from './archive.ts';
import { whereIs } from './command.ts';
import type { Kernel } from './kernel.ts';

/** The host's own programs that tests run beside busybox's; one that is not here is not there. */
const programs = ['bash', 'xz', 'sort', 'unshare'];

/** A program's shared libraries and its loader, as absolute paths. */
const librariesOf = (program: string): string[] => {
  const { stdout } = spawnSync('ldd', [program], { encoding: 'utf8' });
  return [...stdout.matchAll(/(\/\S+) \(0x/g)].map((match) => match[1] ?? '');
};

export const busyboxEntries = (): Entry[] =>
  ['/bin/busybox', '/bin/sh'].map((to) => ({ to, from: whereIs('busybox') ?? '' }));

/** The disk's modules, named so that their order is that in which they must be loaded. */
export const moduleEntries = (kernel: Kernel): Entry[] =>
  kernel.modules.map((from, order) => ({ to: `/lib/modules/${order}-${basename(from)}`, from }));

const entriesOf = (kernel: Kernel): Entry[] => {
  const real = programs.map((name) => whereIs(name)).filter((file) => file !== null);
  const binaries = [process.execPath, ...real];
  const libraries = new Set(binaries.flatMap((file) => librariesOf(file)));
  return [
    ...busyboxEntries(),
    ...binaries.map((from) => ({ to: join('/usr/bin', basename(from)), from })),
    ...[...libraries].map((from) => ({ to: from, from })),
    ...moduleEntries(kernel),
    { to: '/etc/passwd', text: 'root:x:0:0::/root:/bin/sh\nguest:x:1000:1000::/home/guest:/bin/sh\n' },
    { to: '/etc/group', text: 'root:x:0:\nguest:x:1000:\n' },
  ];
};

/** What is made of them, so that another Node or kernel makes another one. */
export const keyOf = (entries: readonly Entry[]): string => {
  const hash = createHash('sha256');
  for (const entry of entries) {
    const about =
      'text' in entry ? entry.text : `${entry.from} ${statSync(entry.from).size} ${statSync(entry.from).mtimeMs}`;
    hash.update(`${entry.to}\0${about}\0`);
  }
  return hash.digest('hex').slice(0, 16);
};

/** The part of the guest's file system that changes seldom: busybox, Node, their libraries, the disk's modules. Kept in the cache. */
export const baseArchive = (cache: string, kernel: Kernel): string => {
  const entries = entriesOf(kernel);
  const file = join(cache, `base-${keyOf(entries)}.cpio`);
  if (existsSync(file)) return file;
  for (const old of readdirSync(cache).filter((name) => name.startsWith('base-'))) rmSync(join(cache, old));
  writeArchive(`${file}.${process.pid}`, entries);
  renameSync(`${file}.${process.pid}`, file);
  return file;
};
