import type { Automaton } from './automaton.ts';
import { backslash, doubledQuote, firstToken, wokenBy, type Escaping } from './escapes.ts';
import { Reader, type Cut, type Found } from './reader.ts';

/** Reads a stream as one way of escaping writes it. */
export class EscapedReader extends Reader {
  readonly #escaping: Escaping;
  readonly #text: number[] = [];
  readonly #offsets: number[] = [];

  constructor(escaping: Escaping, automaton: Automaton, found: Found) {
    super(automaton, found);
    this.#escaping = escaping;
  }

  override begin(state: number, offset: number): void {
    super.begin(state, offset);
    this.#text.length = 0;
    this.#offsets.length = 0;
  }

  read(byte: number, offset: number): void {
    if (this.#text.length === 0 && !wokenBy(this.#escaping, byte)) return this.take(byte, offset, offset + 1);
    this.#text.push(byte);
    this.#offsets.push(offset);
    while (this.#text.length > 0) {
      const token = firstToken(this.#escaping, this.#text);
      if (token === null) return;
      this.#next(token.length, token.bytes);
    }
  }

  /** What had begun as an escape when the stream ended is none. */
  end(): void {
    while (this.#text.length > 0) this.#next(1, [this.#text[0] ?? 0]);
  }

  #next(length: number, bytes: readonly number[]): void {
    // A backslash that changes nothing is none of a value's own where one begins after it: a path's, `C:\value`.
    const isNeedless = length === 2 && this.#text[0] === backslash && bytes[0] === this.#text[1];
    const start = this.#offsets[isNeedless ? 1 : 0] ?? 0;
    const end = (this.#offsets[length - 1] ?? 0) + 1;
    const itself = length === 1 && bytes[0] === this.#text[0];
    for (const byte of bytes) this.take(byte, start, end);
    if (!itself) this.skipped();
    if (length === this.#text.length) {
      this.#text.length = 0;
      this.#offsets.length = 0;
    } else {
      this.#text.splice(0, length);
      this.#offsets.splice(0, length);
    }
  }

  override get pending(): number | null {
    return this.#offsets[0] ?? null;
  }

  /** A last quote is no beginning of an escape where a value has no quote there. */
  override cut(done: number): Cut | null {
    if (doubledQuote(this.#escaping) !== null) this.end();
    return super.cut(done);
  }

  override earliest(done: number): number {
    return Math.min(this.pending ?? done, super.earliest(done));
  }
}
