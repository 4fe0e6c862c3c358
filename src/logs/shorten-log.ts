import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';

/**
 * Takes the beginning off a log of our own once it has over `most` bytes, so that about `keep` are left, from a line's beginning on. Who has it open to
 * append writes on at its new end. At once, so that no line of this process falls in between; a line of another one then may be lost.
 */
export const shortenLog = (file: string, { most, keep }: { readonly most: number; readonly keep: number }): boolean => {
  const fd = openIfThere(file);
  if (fd === null) return false;
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile() || stat.size <= most) return false;
    const end = Buffer.alloc(keep);
    const tail = end.subarray(0, readSync(fd, end, 0, keep, stat.size - keep));
    const lines = tail.subarray(tail.indexOf(10) + 1);
    ftruncateSync(fd, 0);
    writeSync(fd, lines);
    return true;
  } finally {
    closeSync(fd);
  }
};

const openIfThere = (file: string): number | null => {
  try {
    return openSync(file, constants.O_RDWR | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return null;
  }
};
