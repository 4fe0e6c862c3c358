import { join } from 'node:path';
import { shellWord } from '../units/shell-words.ts';
import type { OffReason, Undelegated } from './off-reason.ts';

/**
 * The one command, else the one step, that would give runs cgroups of their own; null where nobody can say one. A daemon looks only when
 * it starts: `orca restart` where its own place has changed. The resident starts that one, so it is in the cgroup and has the environment
 * of the one before; where it needs others it is `down` and `up`.
 */
export const adviceFor = (reason: OffReason, systemd: boolean): string | null => {
  switch (reason.kind) {
    case 'v1-only':
    case 'memory-on-v1':
      return systemd
        ? 'boot with systemd.unified_cgroup_hierarchy=1 on the kernel command line'
        : 'boot with cgroup_no_v1=all on the kernel command line, and mount cgroup v2';
    case 'not-mounted':
      return 'mount -t cgroup2 none /sys/fs/cgroup && orca restart';
    case 'hidden':
      // A new mount shows what is below the top of our own cgroup namespace, and we may be outside of that. On top of the old one
      // the kernel takes none.
      return reason.cgroup.startsWith('/..') ? null : `${mountAnew(shellWord(reason.mount))} && orca restart`;
    case 'read-only':
      return reason.container
        ? 'start the container with --privileged --cgroupns=private'
        : `mount -o remount,rw ${shellWord(reason.mount)} && orca restart`;
    case 'memory-off-in-kernel':
      return 'boot with cgroup_enable=memory on the kernel command line';
    case 'memory-not-given':
      if (systemd) return 'give the unit that orca runs in `Delegate=cpu io memory pids`, and start it again';
      if (reason.givers.length === 0) return null;
      return `${asRoot(reason.givers.map((giver) => `echo +memory > ${controlOf(giver)}`).join(' && '))} && orca restart`;
    case 'undelegated':
      return systemd ? underSystemd(reason) : withoutSystemd(reason);
    case 'inside-run':
      return 'outside of any run: orca down; orca up';
    case 'busy':
      return 'orca restart';
    case 'unwanted':
      return 'orca down; ORCA_CGROUPS=1 orca up';
    case 'threaded':
      return 'in a shell that is in a cgroup of type `domain`: orca down; orca up';
    case 'foreign':
      return 'in a shell that shares its cgroup with none of them: orca down; orca up';
    case 'sh-keeper':
    case 'no-cgroups':
    case 'refused':
      return null;
  }
};

/** A person's own service manager is given a subtree; a service has one when its unit says so. */
const underSystemd = ({ folder }: Undelegated): string =>
  folder.includes('/system.slice/')
    ? 'give the unit that orca runs in `Delegate=yes`, and start it again'
    : 'loginctl enable-linger && orca restart';

/** A cgroup of one's own, with the shell in it; or, where the cgroup is one's own already in all but name, the name. */
const withoutSystemd = ({ folder, hostRoot }: Undelegated): string => {
  if (!hostRoot) {
    const files = ['', 'cgroup.procs', 'cgroup.subtree_control'].map((file) => shellWord(join(folder, file)));
    return `sudo chown "$(id -u)" ${files.join(' ')} && orca restart`;
  }
  const own = join(folder, 'orca-of-$0');
  return `${asRoot(
    `echo +memory > ${controlOf(folder)}; mkdir -p ${own} && chown -R $0 ${own} && echo $1 > ${own}/cgroup.procs`,
  )} "$(id -u)" $$ && orca down && orca up`;
};

const mountAnew = (folder: string): string => `umount ${folder} && mount -t cgroup2 none ${folder}`;

const controlOf = (folder: string): string => shellWord(join(folder, 'cgroup.subtree_control'));

const asRoot = (line: string): string => `sudo sh -c ${shellWord(line)}`;
