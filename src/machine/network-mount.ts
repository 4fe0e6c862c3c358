import { join } from 'node:path';
import { readText } from './read-text.ts';

/** File systems behind which another machine, or a process, stands: while that does not answer, whoever asks them anything waits. */
const remote = /^(?:nfs4?|cifs|smb3|smbfs|9p|lustre|gpfs|ceph|afs|beegfs|autofs|fuse\..+|fuse)$/;

/** Those of the folders whose path leads into no network file system. Asks no file system: it goes by where they are mounted. */
export const localFolders = (procRoot: string, folders: readonly string[]): string[] => {
  const mounts = mountTypes(readText(join(procRoot, 'self/mountinfo')) ?? '');
  return folders.filter((folder) => !remote.test(typeAt(mounts, folder)));
};

interface MountType {
  readonly folder: string;
  readonly type: string;
}

const mountTypes = (mountinfo: string): MountType[] =>
  mountinfo.split('\n').flatMap((line) => {
    const [mount, kind] = line.split(' - ');
    const folder = mount?.split(' ')[4];
    const type = kind?.split(' ')[0];
    return folder?.startsWith('/') === true && type !== undefined ? [{ folder: unescapedMount(folder), type }] : [];
  });

/** Of the longest mount above; of two at the same place the later one hides the other. Empty where none is told. */
const typeAt = (mounts: readonly MountType[], path: string): string => {
  let found: MountType | null = null;
  for (const mount of mounts) {
    const top = mount.folder === '/' ? '' : mount.folder;
    if (path !== mount.folder && !path.startsWith(`${top}/`)) continue;
    if (found === null || mount.folder.length >= found.folder.length) found = mount;
  }
  return found?.type ?? '';
};

/** In mountinfo spaces, tabs, newlines and backslashes are written as three octal digits (proc_pid_mountinfo(5)). */
export const unescapedMount = (text: string): string =>
  text.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
