import { join } from 'node:path';
import { shellWord } from '../units/shell-words.ts';
import type { OffReason, Undelegated } from './off-reason.ts';

/** The one command, else the one step, that would give runs cgroups of their own; null where nobody can say one. */
export const adviceFor = (reason: OffReason, systemd: boolean): string | null => {
  switch (reason.kind) {
    case 'v1-only':
    case 'memory-on-v1':
      return systemd
        ? 'boot with systemd.unified_cgroup_hierarchy=1 on the kernel command line'
        : 'boot with cgroup_no_v1=all on the kernel command line, and mount cgroup v2';
    case 'not-mounted':
      return 'mount -t cgroup2 none /sys/fs/cgroup';
    case 'read-only':
      return reason.container
        ? 'start the container with --privileged --cgroupns=private'
        : `mount -o remount,rw ${shellWord(reason.mount)}`;
    case 'memory-off-in-kernel':
      return 'boot with cgroup_enable=memory on the kernel command line';
    case 'memory-not-given':
      if (systemd) return 'give the unit that orca runs in `Delegate=cpu memory pids`, and start it again';
      if (reason.givers.length === 0) return null;
      return asRoot(reason.givers.map((giver) => `echo +memory > ${controlOf(giver)}`).join(' && '));
    case 'undelegated':
      return systemd ? underSystemd(reason) : withoutSystemd(reason);
    case 'inside-run':
      return 'start the daemon outside of runs: orca restart';
    case 'busy':
      return 'orca restart';
    case 'unwanted':
    case 'sh-keeper':
    case 'no-cgroups':
    case 'hidden':
    case 'threaded':
    case 'foreign':
    case 'refused':
      return null;
  }
};

/** A person's own service manager is given a subtree; a service has one when its unit says so. */
const underSystemd = ({ folder }: Undelegated): string =>
  folder.includes('/system.slice/')
    ? 'give the unit that orca runs in `Delegate=yes`, and start it again'
    : 'loginctl enable-linger';

/** A cgroup of one's own, with the shell in it; or, where the cgroup is one's own already in all but name, the name. */
const withoutSystemd = ({ folder, hostRoot }: Undelegated): string => {
  if (!hostRoot) {
    const files = ['', 'cgroup.procs', 'cgroup.subtree_control'].map((file) => shellWord(join(folder, file)));
    return `sudo chown "$(id -u)" ${files.join(' ')}`;
  }
  const own = join(folder, 'orca-of-$0');
  return `${asRoot(
    `echo +memory > ${controlOf(folder)}; mkdir -p ${own} && ` + `chown -R $0 ${own} && echo $1 > ${own}/cgroup.procs`,
  )} "$(id -u)" $$; orca restart`;
};

const controlOf = (folder: string): string => shellWord(join(folder, 'cgroup.subtree_control'));

const asRoot = (line: string): string => `sudo sh -c ${shellWord(line)}`;
