import { codedBytes, foldingByte } from './byte-classes.ts';
import { backslash } from './escapes.ts';
import { Reader } from './reader.ts';

/** Base64 and hexadecimal digits are folded into lines of at least so many characters; shorter ones are other text's. */
export const shortestLine = 16;
/** More line ends and indentation than this is no folding. */
export const longestFold = 64;

export const slash = 0x2f;
/** What is after the backslashes where an end of a line is escaped: `\n`, `\r`. */
export const isEscapedLineEnd = (byte: number): boolean => byte === 0x6e || byte === 0x72;

/**
 * Reads a stream as base64 or hexadecimal digits that are folded into lines, indented or not, or coloured. They may stand in a text of JSON's, or in one inside
 * another: then an end of a line is `\n` or `\\n`, and `/` may be `\/`.
 */
export class FoldedReader extends Reader {
  /** Characters on this line. */
  line = 0;
  /** Bytes between two lines. */
  #fold = 0;
  /** Backslashes that came last. */
  #slashes = 0;

  /** `line`: how many characters there were on this line before. */
  beginLine(state: number, offset: number, line: number): void {
    super.begin(state, offset);
    this.line = line;
    this.#fold = 0;
    this.#slashes = 0;
  }

  read(byte: number, offset: number): void {
    if (byte === backslash && this.#slashes < longestFold) {
      this.#slashes += 1;
      return this.skipped();
    }
    if (this.#slashes > 0) {
      this.#slashes = 0;
      if (isEscapedLineEnd(byte) && this.line >= shortestLine && this.#fold < longestFold) {
        this.#fold += 1;
        return this.skipped();
      }
      if (byte !== slash) this.#forget();
    }
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
    this.#forget();
  }

  #forget(): void {
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
