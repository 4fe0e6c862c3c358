import { join } from 'node:path';
import { unescapedMount } from '../machine/network-mount.ts';

/** A place where cgroup v2 is mounted (proc_pid_mountinfo(5)). */
export interface CgroupMount {
  /** The cgroup that the mount shows as its top: `/`, or another one inside a container. */
  readonly top: string;
  /** The folder. */
  readonly folder: string;
  readonly readOnly: boolean;
}

/** The cgroup v2 mounts in `/proc/self/mountinfo`, in its order: a later one hides an earlier one in the same folder. */
export const cgroupMounts = (mountinfo: string): CgroupMount[] =>
  mountinfo.split('\n').flatMap((line) => {
    const [mount, kind] = line.split(' - ');
    const [, , , top, folder, options] = mount?.split(' ') ?? [];
    const [type, , superOptions] = kind?.split(' ') ?? [];
    if (type !== 'cgroup2' || top?.startsWith('/') !== true || folder?.startsWith('/') !== true) return [];
    const readOnly = [options, superOptions].some((list) => list?.split(',').includes('ro') === true);
    return [{ top: unescapedMount(top), folder: unescapedMount(folder), readOnly }];
  });

/** Where a cgroup (as `/proc/self/cgroup` names it) is to be found below a mount; null when the mount does not show it. */
export const folderIn = ({ top, folder }: CgroupMount, cgroup: string): string | null => {
  if (`${top}${cgroup}`.split('/').includes('..')) return null;
  const below = top === '/' ? cgroup : `${cgroup}/`.startsWith(`${top}/`) ? cgroup.slice(top.length) : null;
  if (below === null) return null;
  return below === '/' || below === '' ? folder : join(folder, below);
};
