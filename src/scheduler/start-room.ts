import { statfsSync } from 'node:fs';
import { OrcaError } from '../errors/orca-error.ts';

/** A keeper takes 24 KiB before it begins; several may do so at the same moment. */
const leastRoom = 256 * 1024;

/**
 * Throws when the state folder has no room for the records of another start. The keeper would refuse it, which ends the run; asked before
 * the start is claimed, it waits instead.
 */
export const checkStartRoom = (path: string): void => {
  const { bsize, blocks, bavail, bfree } = statfsSync(path);
  const free = (process.getuid?.() === 0 ? bfree : bavail) * bsize;
  // A file system that counts no blocks has no such bound.
  if (blocks > 0 && free < leastRoom) {
    throw new OrcaError('state-full', { path, why: 'less than 256 KiB is left, which starts need for their records' });
  }
};
