import { createHash } from 'node:crypto';
import { lstatSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { dirname, join } from 'node:path';
import { OrcaError } from '../errors/orca-error.ts';
import { makeFolders } from '../machine/make-folders.ts';

/** The kernel takes 107 bytes (unix(7)); some are kept for what tools put before a path. */
const longestPath = 100;

/** Where the socket of a state folder lies: inside, or, when that path is too long for one, in a folder of ours in /tmp. */
export const socketPath = (state: string, uid: number): string => {
  const inside = join(state, 'orca.sock');
  if (Buffer.byteLength(inside) <= longestPath) return inside;
  const hash = createHash('sha256').update(state).digest('hex').slice(0, 12);
  return join(`/tmp/orca-${uid}-${hash}`, 'orca.sock');
};

/** Listens on it. What lies there already is of a daemon that is gone: the caller holds the state folder's lock. */
export const listenOn = async (server: Server, path: string, uid: number): Promise<void> => {
  ownFolder(dirname(path), uid);
  rmSync(path, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
  });
};

const ownFolder = (folder: string, uid: number): void => {
  makeFolders(folder);
  const found = lstatSync(folder);
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o022) !== 0) {
    throw new OrcaError('state-foreign', { path: folder, owner: found.uid, uid });
  }
};
