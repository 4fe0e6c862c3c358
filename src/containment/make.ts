import { join } from 'node:path';
import type { CgroupFs } from './cgroup-fs.ts';
import { memoryFiles, type RunLimits } from './memory-files.ts';
import { removeCgroup } from './remove.ts';
import { runName, type RunName } from './run-name.ts';
import { writeFiles, type RefusedFile } from './write-files.ts';

export type Made =
  | { readonly ok: true; readonly path: string; readonly skipped: readonly RefusedFile[] }
  /** `file` is `mkdir` when the folder itself could not be made. */
  | { readonly ok: false; readonly path: string; readonly refused: RefusedFile };

/**
 * Makes a start's cgroup in `base` with its limits (seed 000: Cgroups.make). One of that name is there when a start of an
 * earlier daemon with this pid left it: an empty one is made anew, so that its old counts are not the new start's.
 */
export const makeCgroup = (fs: CgroupFs, base: string, name: RunName, limits: RunLimits): Made => {
  const path = join(base, runName(name));
  let code = fs.mkdir(path);
  if (code === 'EEXIST' && removeCgroup(fs, path)) code = fs.mkdir(path);
  if (code !== null) return { ok: false, path, refused: { file: 'mkdir', code } };
  const written = writeFiles(fs, path, memoryFiles(limits));
  if (written.ok) return { ok: true, path, skipped: written.skipped };
  removeCgroup(fs, path);
  return { ok: false, path, refused: written.refused };
};
