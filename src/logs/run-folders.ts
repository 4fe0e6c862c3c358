import type { Dirent } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Bytes of what lies in a run's folder of logs. */
export interface LogSize {
  readonly logs: number;
  /** In its folder `metrics`. */
  readonly samples: number;
}

/** Of a folder that is not there: nothing. Links are not followed. */
export const logSize = async (folder: string): Promise<LogSize> => ({
  logs: await bytesIn(folder, 'metrics'),
  samples: await bytesIn(join(folder, 'metrics'), null),
});

/** The folders of runs below a folder of logs, pipeline by pipeline, in no order. */
export async function* runFolders(logs: string): AsyncGenerator<{ readonly run: number; readonly folder: string }> {
  for (const pipeline of await entries(logs)) {
    if (!pipeline.isDirectory()) continue;
    const inside = join(logs, pipeline.name);
    for (const { name } of (await entries(inside)).filter(
      (entry) => entry.isDirectory() && /^[1-9]\d*(\.[1-9]\d*)?$/.test(entry.name),
    ))
      yield { run: Number.parseInt(name, 10), folder: join(inside, name) };
  }
}

/**
 * Removes a run's folder with all in it. Links in it are removed, and not what they lead to; a pipeline's folder that is a link leads elsewhere, so
 * what is there is not ours to remove.
 */
export const removeRunFolder = async (folder: string): Promise<void> => {
  if (!(await isFolder(dirname(folder)))) return;
  // Before what is noted of them: to who begins to read, a log that was cut is a whole one without that.
  if (await isFolder(folder))
    for (const { name } of await entries(folder))
      if (/^\d+\.(stdout|stderr)$/.test(name)) await rm(join(folder, name), { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
};

/** Bytes of all files in a folder and below it but for one folder in it; what cannot be looked at counts nothing. */
export const bytesIn = async (folder: string, but: string | null = null): Promise<number> => {
  let bytes = 0;
  for (const entry of await entries(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += entry.name === but ? 0 : await bytesIn(path);
    else bytes += await sizeOf(path);
  }
  return bytes;
};

const entries = async (folder: string): Promise<Dirent[]> => {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch {
    return [];
  }
};

export const sizeOf = async (file: string): Promise<number> => {
  try {
    return (await lstat(file)).size;
  } catch {
    return 0;
  }
};

const isFolder = async (path: string): Promise<boolean> => {
  try {
    return (await lstat(path)).isDirectory();
  } catch {
    return false;
  }
};
