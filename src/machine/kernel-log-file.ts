import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** Why the kernel log cannot be read: there is none here, or this user may not (`kernel.dmesg_restrict`). */
export type NoKernelLog = 'absent' | 'denied';

/** The kernel log, a record a read. */
export interface KernelLogFile {
  /** The next record; null: there is none yet; empty: some were overwritten before they were read. */
  next(): string | null;
  close(): void;
}

/** The longest record that the kernel gives (CONSOLE_EXT_LOG_MAX, later PRINTKRB_RECORD_MAX); a shorter buffer is refused with EINVAL. */
const longest = 8192;

export const openKernelLog = (path = '/dev/kmsg'): KernelLogFile | NoKernelLog => {
  const buffer = Buffer.allocUnsafe(longest);
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    return deniedOr(error);
  }
  const log: KernelLogFile = {
    next: () => {
      try {
        const length = readSync(fd, buffer, 0, buffer.length, null);
        return length === 0 ? null : buffer.toString('latin1', 0, length);
      } catch (error) {
        const code = codeOf(error);
        if (code === 'EAGAIN') return null;
        if (code === 'EPIPE') return '';
        throw error;
      }
    },
    close: () => closeSync(fd),
  };
  // In containers the name may stand for something else, a console or /dev/null.
  if (isKernelLog(fd)) return log;
  log.close();
  return 'absent';
};

/** Device 1:11 (Documentation/admin-guide/devices.txt). */
const isKernelLog = (fd: number): boolean => {
  const about = fstatSync(fd);
  return about.isCharacterDevice() && about.rdev === 1 * 256 + 11;
};

const deniedOr = (error: unknown): NoKernelLog => (['EPERM', 'EACCES'].includes(codeOf(error)) ? 'denied' : 'absent');

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');
