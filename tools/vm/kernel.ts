import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Cannot } from './cannot.ts';
import { outputOf, whereIs } from './command.ts';

export interface Kernel {
  readonly image: string;
  /** The modules of a virtio disk, in the order in which they must be loaded. */
  readonly modules: readonly string[];
}

/** Debian 12's: it has PSI, `memory.peak` and `cgroup.kill`, and ext4 is built in. */
const pattern = /^linux-image-6\.1\.0-\d+-cloud-amd64$/;

const moduleNames = [
  'virtio_ring',
  'virtio',
  'virtio_pci_modern_dev',
  'virtio_pci_legacy_dev',
  'virtio_pci',
  'virtio_blk',
];

const newest = (names: readonly string[]): string | null => {
  const number = (name: string): number => Number(/6\.1\.0-(\d+)/.exec(name)?.[1]);
  return names.filter((name) => pattern.test(name)).toSorted((a, b) => number(b) - number(a))[0] ?? null;
};

const offered = (): string | null => newest(outputOf('apt-cache', ['pkgnames', 'linux-image-6.1.0-']).split('\n'));

/** Fetches the package and unpacks it, without installing it. */
const fetch = (cache: string): string => {
  if (whereIs('apt-get') === null)
    throw new Cannot(
      'The virtual machine needs the kernel of Debian 12 (linux-image-cloud-amd64), and here is no apt-get.',
    );
  let name = offered();
  if (name === null && process.getuid?.() === 0) {
    outputOf('apt-get', ['-q', 'update']);
    name = offered();
  }
  if (name === null)
    throw new Cannot(
      'The virtual machine needs the kernel of Debian 12 (linux-image-cloud-amd64), and apt offers none: apt-get update, with Debian 12 among its sources.',
    );
  const beside = mkdtempSync(join(cache, 'fetch-'));
  try {
    outputOf('apt-get', ['-q', 'download', name], { cwd: beside });
    const deb = readdirSync(beside).find((file) => file.endsWith('.deb')) ?? '';
    outputOf('dpkg', ['-x', join(beside, deb), join(beside, 'root')]);
    renameSync(join(beside, 'root'), join(cache, name));
  } finally {
    rmSync(beside, { recursive: true, force: true });
  }
  return name;
};

const only = (files: readonly string[], what: string): string => {
  const [file] = files;
  if (file === undefined) throw new Cannot(`The kernel's package has no ${what}.`);
  return file;
};

/** The newest kernel of the cache; without one it is fetched. */
export const kernelIn = (cache: string): Kernel => {
  mkdirSync(cache, { recursive: true });
  const root = join(cache, newest(readdirSync(cache)) ?? fetch(cache));
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
  const file = (name: RegExp): string =>
    join(
      root,
      only(
        files.filter((path) => name.test(path)),
        String(name),
      ),
    );
  return {
    image: file(/^boot\/vmlinuz-/),
    modules: moduleNames.map((name) => file(new RegExp(`/${name}\\.ko$`))),
  };
};
