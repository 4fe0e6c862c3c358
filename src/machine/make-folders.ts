import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder, with its parents where they are missing, for its owner alone; false: it is there already. Not by Node's own recursion,
 * which never ends where a parent refuses with ENOENT, as /proc and a dangling link do (Node 24.22).
 */
export const makeFolders = (path: string): boolean => {
  const refused = refusalOf(path);
  if (refused === null || isFolder(path)) return refused === null;
  const parent = dirname(path);
  if (refused.code !== 'ENOENT' || parent === path) throw refused;
  makeFolders(parent);
  const again = refusalOf(path);
  if (again === null) return true;
  // Another program may have made it in this moment.
  if (isFolder(path)) return false;
  throw again;
};

const refusalOf = (path: string): NodeJS.ErrnoException | null => {
  try {
    mkdirSync(path, { mode: 0o700 });
    return null;
  } catch (error) {
    return error as NodeJS.ErrnoException;
  }
};

const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
};
