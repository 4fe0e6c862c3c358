import { join } from 'node:path';
import type { CgroupFs } from './cgroup-fs.ts';
import type { CgroupFile } from './memory-files.ts';

export interface RefusedFile {
  readonly file: string;
  /** The error's code, such as `ENOENT` or `EACCES`. */
  readonly code: string;
}

export type Written =
  | { readonly ok: true; readonly skipped: readonly RefusedFile[] }
  | { readonly ok: false; readonly refused: RefusedFile };

/** Writes each value; stops at the first required one that the kernel refuses, and passes over the others. */
export const writeFiles = (fs: CgroupFs, folder: string, files: readonly CgroupFile[]): Written => {
  const skipped: RefusedFile[] = [];
  for (const { file, value, required } of files) {
    const code = fs.write(join(folder, file), value);
    if (code === null) continue;
    if (required) return { ok: false, refused: { file, code } };
    skipped.push({ file, code });
  }
  return { ok: true, skipped };
};
