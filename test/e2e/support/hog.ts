import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Compiles hog.c, a program that uses memory as it is told, into a folder. */
export const compileHog = (folder: string): string => {
  const hog = join(folder, 'hog');
  execFileSync('cc', ['-O1', '-Wall', '-Wextra', '-Werror', '-o', hog, join(import.meta.dirname, 'hog.c')]);
  return hog;
};
