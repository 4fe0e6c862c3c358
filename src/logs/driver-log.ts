import { constants } from 'node:fs';
import { open, readFile, rename, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

/** All that a run's starts wrote, masked, one output after the other. */
export const driverFile = (folder: string): string => join(folder, 'driver.log');

const partsFile = (folder: string): string => `${driverFile(folder)}.parts`;

/** An output that `driver.log` has, whole, and where it ends there. */
interface Part {
  readonly name: string;
  readonly end: number;
}

/**
 * Adds a start's log (`1.stdout`) to the `driver.log` of its folder, once. What is known to be whole there is noted beside it: what is after that a crash or
 * a full disk left, and it is cut off before the next part. Of one folder, one at a time.
 */
export const addToDriver = async (folder: string, name: string): Promise<void> => {
  const parts = await readParts(folder);
  if (parts.some((part) => part.name === name)) return;
  const from = await openLog(join(folder, name));
  if (from === null) return;
  try {
    const { O_WRONLY, O_CREAT, O_NOFOLLOW } = constants;
    const to = await open(driverFile(folder), O_WRONLY | O_CREAT | O_NOFOLLOW, 0o600);
    try {
      // It is shorter where somebody took of it.
      const begin = Math.min((await to.stat()).size, parts.at(-1)?.end ?? 0);
      await to.truncate(begin);
      const end = await copy(from, to, begin);
      await to.datasync();
      await writeParts(folder, [...parts, { name, end }]);
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
};

const copy = async (from: FileHandle, to: FileHandle, begin: number): Promise<number> => {
  const chunk = Buffer.allocUnsafe(1 << 20);
  for (let at = begin; ;) {
    const { bytesRead } = await from.read(chunk, 0, chunk.length);
    if (bytesRead === 0) return at;
    for (let written = 0; written < bytesRead;)
      written += (await to.write(chunk, written, bytesRead - written, at + written)).bytesWritten;
    at += bytesRead;
  }
};

const openLog = async (log: string): Promise<FileHandle | null> => {
  try {
    return await open(log, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
};

const readParts = async (folder: string): Promise<Part[]> => {
  const text = await readFile(partsFile(folder), 'latin1').catch(() => '');
  return [...text.matchAll(/^(\d+\.std(?:out|err)) (\d+)$/gm)].map(([, name = '', end]) => ({
    name,
    end: Number(end),
  }));
};

const writeParts = async (folder: string, parts: readonly Part[]): Promise<void> => {
  const draft = `${partsFile(folder)}.tmp`;
  await writeFile(draft, parts.map(({ name, end }) => `${name} ${end}\n`).join(''), { mode: 0o600 });
  await rename(draft, partsFile(folder));
};
