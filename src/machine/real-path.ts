import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';

/** A path without links; of what is not there, or not to be looked at, as it is written. */
export const realPath = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
};
