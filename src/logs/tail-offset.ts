const firstPiece = 65_536;
const newline = 10;

export interface Tail {
  readonly lines: number;
  /** Nothing before is looked at. */
  readonly floor: number;
  readonly size: number;
}

/**
 * Where the last `lines` lines of so many bytes begin. A last line without its newline counts as one. Read from the end, in larger and larger pieces of at most
 * `largest` bytes; others have their turn between them, since one line can be the whole log.
 */
export const tailOffset = async (
  read: (begin: number, end: number) => Promise<Uint8Array>,
  { lines, floor, size }: Tail,
  largest: number,
): Promise<number> => {
  if (lines <= 0) return size;
  let missing = lines;
  let piece = firstPiece;
  for (let end = size; end > floor;) {
    const begin = Math.max(floor, end - piece);
    const bytes = await read(begin, end);
    for (let at = bytes.length - 1; at >= 0; at -= 1) {
      if (bytes[at] !== newline || begin + at === size - 1) continue;
      missing -= 1;
      if (missing === 0) return begin + at + 1;
    }
    end = begin;
    piece = Math.min(2 * piece, largest);
  }
  return floor;
};
