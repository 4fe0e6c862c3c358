import { fstatSync, readSync } from 'node:fs';

const chunkSize = 65536;
const newline = 10;

/** Where the last `lines` lines of an open file begin, in bytes. A last line without its newline counts as one. Nothing before `floor` is looked at. */
export const tailOffset = (descriptor: number, lines: number, floor = 0): number => {
  const size = fstatSync(descriptor).size;
  if (lines <= 0) return size;
  const chunk = Buffer.alloc(chunkSize);
  let missing = lines;
  let end = size;
  while (end > floor) {
    const begin = Math.max(floor, end - chunkSize);
    const read = readSync(descriptor, chunk, 0, end - begin, begin);
    for (let at = read - 1; at >= 0; at -= 1) {
      if (chunk[at] !== newline || begin + at === size - 1) continue;
      missing -= 1;
      if (missing === 0) return begin + at + 1;
    }
    end = begin;
  }
  return floor;
};
