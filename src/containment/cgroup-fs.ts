import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readdirSync,
  rmdirSync,
  writeSync,
} from 'node:fs';
import { readText } from '../machine/read-text.ts';

/** What containment does to cgroup folders. Nothing throws: a change answers with the error's code, null when it was made. */
export interface CgroupFs {
  read(file: string): string | null;
  /** Opens without creating: a file that this kernel does not have is `ENOENT`. */
  write(file: string, text: string): string | null;
  mkdir(folder: string): string | null;
  rmdir(folder: string): string | null;
  /** Names of the folders in it; null when it cannot be read. */
  folders(folder: string): readonly string[] | null;
  /** Whether this process may write the file (access(2)); nothing is written. */
  mayWrite(file: string): boolean;
}

export const realCgroupFs: CgroupFs = {
  read: readText,
  write: (file, text) => codeOf(() => writeAtOnce(file, text)),
  mkdir: (folder) => {
    const refused = codeOf(() => mkdirSync(folder));
    // Whatever the daemon's umask: by what a run's cgroup says other users' daemons know what is promised.
    if (refused === null) codeOf(() => chmodSync(folder, 0o755));
    return refused;
  },
  rmdir: (folder) => codeOf(() => rmdirSync(folder)),
  folders: (folder) => {
    try {
      return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
    } catch {
      return null;
    }
  },
  mayWrite: (file) => codeOf(() => accessSync(file, constants.W_OK)) === null,
};

/** One write(2) with the whole text: the kernel takes a cgroup file's value at once or refuses it (seed 000: put). */
const writeAtOnce = (file: string, text: string): void => {
  const fd = openSync(file, constants.O_WRONLY);
  try {
    writeSync(fd, text);
  } finally {
    closeSync(fd);
  }
};

const codeOf = (change: () => void): string | null => {
  try {
    change();
    return null;
  } catch (error) {
    return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'EIO';
  }
};
