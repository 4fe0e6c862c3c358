import { ConnectionLost } from './connection-lost.ts';

/** Longest line of an HTTP head that is taken; ours are under 1 KB. */
const longestLine = 16384;

/** Pulls lines and counted bytes out of a stream of chunks, so that a slow reader slows the sender. */
export class ByteReader {
  #held: Buffer = Buffer.alloc(0);
  readonly #source: AsyncIterator<Buffer>;

  constructor(source: AsyncIterator<Buffer>) {
    this.#source = source;
  }

  /** The next line without its CRLF. */
  async line(): Promise<string> {
    for (;;) {
      const end = this.#held.indexOf(10);
      if (end >= 0) {
        const line = this.#held.subarray(0, end).toString('latin1');
        this.#held = this.#held.subarray(end + 1);
        return line.endsWith('\r') ? line.slice(0, -1) : line;
      }
      if (this.#held.length > longestLine) throw new ConnectionLost('the answer is not HTTP: a line has no end');
      const more = await this.#more();
      this.#held = this.#held.length === 0 ? more : Buffer.concat([this.#held, more]);
    }
  }

  /** Exactly `count` bytes, in the pieces in which they come. */
  async *bytes(count: number): AsyncGenerator<Buffer> {
    let left = count;
    while (left > 0) {
      const chunk = this.#held.length > 0 ? this.#held : await this.#more();
      const piece = chunk.subarray(0, left);
      this.#held = chunk.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }

  /** Everything up to the end of the stream. */
  async *rest(): AsyncGenerator<Buffer> {
    if (this.#held.length > 0) yield this.#held;
    for (;;) {
      const next = await this.#source.next();
      if (next.done === true) return;
      yield next.value;
    }
  }

  async #more(): Promise<Buffer> {
    const next = await this.#source.next();
    if (next.done === true) throw new ConnectionLost('the answer ended in the middle');
    return next.value;
  }
}
