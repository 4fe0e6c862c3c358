import { existsSync, readFileSync } from 'node:fs';
import { Cannot } from './cannot.ts';
import { outputOf, whereIs } from './command.ts';

interface Need {
  readonly what: string;
  readonly package: string;
  readonly isThere: () => boolean;
}

/** In the guest there is no dynamic loader for what the host's ordinary busybox would ask for. */
const isStatic = (file: string | null): boolean => file !== null && !readFileSync(file).includes('/ld-linux');

const needs: readonly Need[] = [
  { what: 'qemu-system-x86_64', package: 'qemu-system-x86', isThere: () => whereIs('qemu-system-x86_64') !== null },
  { what: 'a static busybox', package: 'busybox-static', isThere: () => isStatic(whereIs('busybox')) },
  { what: 'cpio', package: 'cpio', isThere: () => whereIs('cpio') !== null },
  { what: 'a C compiler with a static C library', package: 'gcc libc6-dev', isThere: () => whereIs('cc') !== null },
];

/** What the machine with systemd needs besides. */
const systemdNeeds: readonly Need[] = [
  { what: 'mmdebstrap', package: 'mmdebstrap', isThere: () => whereIs('mmdebstrap') !== null },
  { what: 'mke2fs', package: 'e2fsprogs', isThere: () => whereIs('mke2fs') !== null },
];

/** Whether a package may be installed without asking: a check on a machine of its own, as root. */
const mayInstall = (): boolean =>
  process.env['CI'] === 'true' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');

const apt = (...args: string[]): string =>
  outputOf('env', ['DEBIAN_FRONTEND=noninteractive', 'apt-get', '-q', '-y', ...args]);

/** Sees to it that the programs are there that build and run the machine. */
export const needPackages = ({ systemd }: { systemd: boolean }): void => {
  const missing = [...needs, ...(systemd ? systemdNeeds : [])].filter((need) => !need.isThere());
  if (missing.length === 0) return;
  const packages = missing.flatMap((need) => need.package.split(' '));
  if (!mayInstall()) {
    const what = missing.map((need) => need.what).join(', ');
    throw new Cannot(`The virtual machine needs ${what}. On Debian: apt-get install ${packages.join(' ')}`);
  }
  apt('update');
  apt('install', '--no-install-recommends', ...packages);
};
