import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolders } from '../machine/make-folders.ts';
import type { Location } from './location.ts';

/**
 * The file in which lines wait for their upload (seed 001; orca.logs: stage_of). It is the same one for the same location, so that a sampler that
 * is started again goes on with it. Throws when the folder is a link, another user's, or open to others.
 */
export const stageFile = (folder: string, { bucket, key }: Location & { kind: 'object' }, uid: number): string => {
  makeFolders(folder);
  const stat = lstatSync(folder);
  if (!stat.isDirectory()) throw new Error(`${folder} is no folder of its own`);
  if (stat.uid !== uid) throw new Error(`${folder} belongs to another user`);
  if ((stat.mode & 0o077) !== 0) throw new Error(`${folder} is open to other users`);
  const hash = createHash('sha256').update(`${bucket}\0${key}`).digest('hex').slice(0, 16);
  const name = (key.split('/').at(-1) ?? '').replaceAll(/[^A-Za-z0-9._-]/gu, '_').slice(-100);
  return join(folder, `sample-${hash}-${name}`);
};
