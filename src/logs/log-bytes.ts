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

/** Longer pieces keep others waiting for longer. */
const largestPiece = 1048576;

export const fileBytes = async (path: string, file: FileHandle): Promise<LogBytes> => {
  const read = async (at: number, most: number): Promise<Uint8Array> => {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(most), 0, most, at);
    return buffer.subarray(0, bytesRead);
  };
  const piece = (begin: number, end: number): Promise<Uint8Array> => read(begin, end - begin);
  return {
    inode: (await file.stat()).ino,
    gone: () => readGone(path),
    read,
    tail: async (lines, floor) => tailOffset(piece, { lines, floor, size: (await file.stat()).size }, largestPiece),
    close: () => file.close(),
  };
};
