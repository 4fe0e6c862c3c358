import { codedBytes, foldingByte } from './byte-classes.ts';
import { Reader } from './reader.ts';

/** Base64 and hexadecimal digits are folded into lines of at least so many characters; shorter ones are other text's. */
export const shortestLine = 16;
/** More line ends and indentation than this is no folding. */
export const longestFold = 64;

/** Reads a stream as base64 or hexadecimal digits that are folded into lines, indented or not, or coloured. */
export class FoldedReader extends Reader {
  /** Characters on this line. */
  line = 0;
  /** Bytes between two lines. */
  #fold = 0;

  /** `line`: how many characters there were on this line before. */
  beginLine(state: number, offset: number, line: number): void {
    super.begin(state, offset);
    this.line = line;
    this.#fold = 0;
  }

  read(byte: number, offset: number): void {
    const code = codedBytes[byte] ?? 0;
    if (code < foldingByte) {
      if (this.#fold > 0) this.line = 0;
      this.#fold = 0;
      this.line += 1;
      this.take(code, offset, offset + 1);
      return;
    }
    const ends = code === foldingByte && this.line >= shortestLine;
    const indents = this.#fold > 0 && (byte === 0x20 || byte === 0x09);
    if ((ends || indents) && this.#fold < longestFold) {
      this.#fold += 1;
      this.skipped();
      return;
    }
    this.line = 0;
    this.#fold = 0;
    this.state = 0;
  }

  /** The character in front holds some bits of the value, if it is one. */
  override earliest(done: number): number {
    return this.state === 0 ? done : super.earliest(done) - 1;
  }

  /** Two that are on their way to the next line are alike as far as that counts. */
  override same(other: Reader, done: number): boolean {
    return super.same(other, done) && (!(other instanceof FoldedReader) || other.line === this.line);
  }

  override tellsMore(other: Reader, done: number): boolean {
    return super.tellsMore(other, done) && (!(other instanceof FoldedReader) || other.line <= this.line);
  }
}
