import { statfsSync, statSync } from 'node:fs';

/** The file system that a folder is on, in bytes (seed 001: Disk). */
export interface DiskSpace {
  readonly path: string;
  readonly total: number;
  readonly used: number;
  /** What a process without privileges can still use. */
  readonly free: number;
}

/** What the system says of a folder's file system. */
export interface FileSystem {
  readonly id: number;
  readonly blockBytes: number;
  readonly blocks: number;
  readonly free: number;
  /** To processes without privileges. */
  readonly available: number;
}

/** One entry per file system, named by the first folder on it; a folder that cannot be looked at has none. */
export const diskSpaces = (
  folders: readonly string[],
  look: (folder: string) => FileSystem | null = lookAt,
): DiskSpace[] => {
  const seen = new Set<number>();
  return folders.flatMap((path) => {
    const system = look(path);
    if (system === null || seen.has(system.id)) return [];
    seen.add(system.id);
    const { blockBytes, blocks, free, available } = system;
    const size = (count: number): number => Math.max(0, count) * blockBytes;
    return [{ path, total: size(blocks), used: size(blocks - free), free: size(available) }];
  });
};

const lookAt = (folder: string): FileSystem | null => {
  try {
    const { dev } = statSync(folder);
    const { bsize, frsize, blocks, bfree, bavail } = statfsSync(folder);
    // Blocks are counted in fragments; file systems in user space have both sizes, and not the same.
    const blockBytes = frsize > 0 ? frsize : bsize;
    return { id: dev, blockBytes, blocks, free: bfree, available: bavail };
  } catch {
    return null;
  }
};
