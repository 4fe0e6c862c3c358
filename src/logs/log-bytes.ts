import { stat, type FileHandle } from 'node:fs/promises';
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

/** It was moved while it was read, with what is noted of what is gone of it: whoever reads it asks again from where they are. */
export class LogMoved extends Error {}

/** `isCutElsewhere`: whether it lies elsewhere now, without all that was written. */
export const fileBytes = async (
  path: string,
  file: FileHandle,
  isCutElsewhere: () => Promise<boolean> = async () => false,
): Promise<LogBytes> => {
  const inode = (await file.stat()).ino;
  let known: Gone | null = null;
  const isNamed = (): Promise<boolean> =>
    stat(path).then(
      (found) => found.ino === inode,
      () => false,
    );
  // What is noted goes after the log itself. Of this very file it stays true; another one may have been a hole, or have got one since.
  const gone = async (): Promise<Gone | null> => {
    known = (await readGone(path)) ?? known;
    if (known?.cut?.inode !== inode && !(await isNamed()) && (await isCutElsewhere()))
      throw new LogMoved(`${path} was moved while it was read`);
    return known;
  };
  const read = async (at: number, most: number): Promise<Uint8Array> => {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(most), 0, most, at);
    return buffer.subarray(0, bytesRead);
  };
  const piece = (begin: number, end: number): Promise<Uint8Array> => read(begin, end - begin);
  return {
    inode,
    gone,
    read,
    tail: async (lines, floor) => tailOffset(piece, { lines, floor, size: (await file.stat()).size }, largestPiece),
    close: () => file.close(),
  };
};
