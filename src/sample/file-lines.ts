import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const newline = 10;
const chunkBytes = 65536;

export interface LineCount {
  /** Ended lines. */
  readonly lines: number;
  /** False when the last line has no end. */
  readonly whole: boolean;
}

/** How many lines a file has, without holding it in memory; 0 of one that may not be read. */
export const countLines = (file: string): LineCount => {
  let fd: number | null = null;
  try {
    fd = openSync(file, 'r');
    return countIn(fd);
  } catch {
    return { lines: 0, whole: true };
  } finally {
    if (fd !== null) closeSync(fd);
  }
};

const countIn = (fd: number): LineCount => {
  const buffer = Buffer.allocUnsafe(chunkBytes);
  let lines = 0;
  let last = newline;
  for (let at = 0; ;) {
    const count = readSync(fd, buffer, 0, buffer.length, at);
    if (count === 0) return { lines, whole: last === newline };
    for (let i = buffer.indexOf(newline); i >= 0 && i < count; i = buffer.indexOf(newline, i + 1)) lines += 1;
    last = buffer[count - 1] ?? newline;
    at += count;
  }
};

/** The last `most` ended lines of a file, with their ends; what stands after the last end is left out. */
export const lastLines = (file: string, most: number): Buffer => {
  const fd = openSync(file, 'r');
  try {
    let from = fstatSync(fd).size;
    let text: Buffer = Buffer.alloc(0);
    for (;;) {
      const end = text.lastIndexOf(newline) + 1;
      const begin = startOfLast(text, end, most);
      if (begin !== null) return text.subarray(begin, end);
      if (from === 0) return text.subarray(0, end);
      const chunk = Buffer.alloc(Math.min(chunkBytes, from));
      from -= chunk.length;
      readSync(fd, chunk, 0, chunk.length, from);
      text = Buffer.concat([chunk, text]);
    }
  } finally {
    closeSync(fd);
  }
};

/** Where the last `most` lines before `end` begin; null when the text has not so many with an end before them. */
const startOfLast = (text: Buffer, end: number, most: number): number | null => {
  let at = end - 1;
  for (let found = 0; found < most; found += 1) {
    if (at <= 0) return null;
    at = text.lastIndexOf(newline, at - 1);
    if (at < 0) return null;
  }
  return at + 1;
};
