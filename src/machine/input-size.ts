import { constants } from 'node:fs';
import { access, lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** How many entries of a folder are counted, so that a submission takes no longer than a second or two for it. */
const most = 100_000;

/**
 * Bytes of a file that can be read; of a folder those of all files in it, where links are not followed. Null: a folder with more entries than are
 * counted, or with one that may not be looked into. Throws what the system says when it is not there or may not be read.
 */
export const inputSize = async (path: string): Promise<number | null> => {
  const found = await stat(path);
  await access(path, found.isDirectory() ? constants.R_OK | constants.X_OK : constants.R_OK);
  if (!found.isDirectory()) return found.isFile() ? found.size : null;
  let bytes = 0;
  let entries = 0;
  const folders = [path];
  try {
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      for (const entry of await readdir(folder, { withFileTypes: true })) {
        entries += 1;
        if (entries > most) return null;
        const inside = join(folder, entry.name);
        if (entry.isDirectory()) folders.push(inside);
        else if (entry.isFile()) bytes += (await lstat(inside)).size;
      }
    }
  } catch {
    return null;
  }
  return bytes;
};
