import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Cannot } from './cannot.ts';
import { outputOf } from './command.ts';

const release = 'bookworm';

/** Beside the essential packages: systemd with its login sessions and their managers, and what `node` and the tests need. */
const packages = [
  ...['systemd', 'systemd-sysv', 'dbus', 'dbus-user-session', 'libpam-systemd'],
  ...['login', 'passwd', 'util-linux', 'libstdc++6'],
];

/** Nobody reads these there, and a small file system is made and copied quickly. */
const leftOut = ['doc', 'man', 'locale', 'info', 'i18n', 'bash-completion', 'zsh'];

/** Two ordinary users; what is done for comfort, and takes time at each boot, is not done. */
const setUp = `
chroot "$1" useradd --create-home --uid 1000 --shell /bin/sh guest
chroot "$1" useradd --create-home --uid 1001 --shell /bin/sh lingerer
for unit in systemd-journal-flush.service systemd-journal-catalog-update.service systemd-update-utmp.service \\
  systemd-random-seed.service systemd-remount-fs.service systemd-tmpfiles-clean.timer systemd-pcrphase-sysinit.service \\
  systemd-firstboot.service ldconfig.service systemd-sysusers.service systemd-binfmt.service systemd-udevd.service \\
  modprobe@.service kmod-static-nodes.service dev-hugepages.mount dev-mqueue.mount sys-kernel-debug.mount sys-kernel-tracing.mount \\
  sys-fs-fuse-connections.mount proc-sys-fs-binfmt_misc.automount; do
  ln -sf /dev/null "$1/etc/systemd/system/$unit"
done
echo orca-vm > "$1/etc/hostname"
echo 11111111111111111111111111111111 > "$1/etc/machine-id"
: > "$1/etc/fstab"
mkdir -p "$1/etc/systemd/logind.conf.d" "$1/orca"
printf '[Login]\\nUserStopDelaySec=1\\n' > "$1/etc/systemd/logind.conf.d/soon.conf"
`;

/** What it is made of, so that another Node or another list makes another one. */
const key = (): string => {
  const node = `${process.version} ${statSync(process.execPath).size}`;
  const parts = [release, packages.join(), leftOut.join(), setUp, node];
  return createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 16);
};

/** Where Debian's packages come from on this machine: its own list, so that a mirror or a proxy is used as for anything else. */
const sources = (): string[] =>
  ['/etc/apt/sources.list', '/etc/apt/sources.list.d/debian.sources'].filter((file) => existsSync(file));

const make = (image: string, folder: string): void => {
  if (process.getuid?.() !== 0)
    throw new Cannot('The file system with systemd is made by root, and kept: run this once as root.');
  const root = join(folder, 'root');
  mkdirSync(root);
  const hook = join(folder, 'set-up.sh');
  writeFileSync(hook, `set -e\n${setUp}`);
  outputOf('mmdebstrap', [
    ...['--quiet', '--variant=essential', `--include=${packages.join()}`],
    ...leftOut.map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`),
    '--aptopt=APT::Install-Recommends "false"',
    `--customize-hook=sh ${hook} "$1"`,
    ...[release, root],
    ...sources(),
  ]);
  const node = join(root, 'usr/local/bin/node');
  copyFileSync(process.execPath, node);
  chmodSync(node, 0o755);
  // Room for what the tests write; unwritten blocks take no space.
  outputOf('mke2fs', ['-q', '-t', 'ext4', '-d', root, image, '1G']);
};

/** The disk of a Debian with systemd and Node, kept in the cache by what it is made of. */
export const systemdImage = (cache: string): string => {
  const image = join(cache, `systemd-${key()}.ext4`);
  if (existsSync(image)) return image;
  for (const old of readdirSync(cache).filter((name) => name.startsWith('systemd-')))
    rmSync(join(cache, old), { recursive: true });
  const folder = mkdtempSync(join(cache, 'make-'));
  try {
    make(join(folder, 'image'), folder);
    renameSync(join(folder, 'image'), image);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return image;
};
