import type { FileHandle } from 'node:fs/promises';
import { readGone, type Gone } from './gone.ts';
import { tailOffset } from './tail-offset.ts';

/** The bytes of a log, wherever they lie. */
export interface LogBytes {
  /** Tells a log's file from the one that takes its name when it is cut. */
  readonly inode: number;
  /** What is known to be gone of it by now. */
  readonly gone: () => Promise<Gone | null>;
  /** At most so many bytes from there on; none at its end. */
  readonly read: (at: number, most: number) => Promise<Uint8Array>;
  /** Where its last lines begin; nothing before `floor` is looked at. */
  readonly tail: (lines: number, floor: number) => Promise<number>;
  readonly close: () => Promise<void>;
}

export const fileBytes = async (path: string, file: FileHandle): Promise<LogBytes> => ({
  inode: (await file.stat()).ino,
  gone: () => readGone(path),
  read: async (at, most) => {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(most), 0, most, at);
    return buffer.subarray(0, bytesRead);
  },
  tail: async (lines, floor) => tailOffset(file.fd, lines, floor),
  close: () => file.close(),
});
