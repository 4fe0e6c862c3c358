const newline = 10;
const carriageReturn = 13;

/** A state of a line that is longer is not held until it is known whether it was the last one. */
const longestHeld = 1 << 20;

/**
 * Folds lines that a program writes over again and again, as progress bars are. Of each such line its first state passes at once, and its
 * last one, in a line of its own, when the line ends; with `lastOnly` the last one alone. What has no lone carriage return passes as it is, and as it comes, or line by
 * line. Bytes in, bytes out; one for each stream.
 */
export class FoldReturns {
  readonly #lastOnly: boolean;
  /** What is held of the line; null: nothing was written over in it so far. */
  #over: Buffer[] | null;
  #held = 0;
  /** Something of this line has passed. */
  #passed = false;
  /** A return at the end of a piece: what follows says whether it belongs to the line's end. */
  #pending = false;

  constructor({ lastOnly = false }: { readonly lastOnly?: boolean } = {}) {
    this.#lastOnly = lastOnly;
    this.#over = lastOnly ? [] : null;
  }

  push(piece: Uint8Array): Buffer {
    const out: Buffer[] = [];
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    let from = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (this.#pending && byte !== carriageReturn) {
        this.#pending = false;
        if (byte === newline) {
          this.#keep(out, crlf.subarray(0, 1));
        } else {
          // The state before it is written over.
          this.#hold();
          from = at;
        }
      }
      if (byte === carriageReturn) {
        this.#keep(out, bytes.subarray(from, at));
        this.#pending = true;
        from = at + 1;
      } else if (byte === newline) {
        this.#keep(out, bytes.subarray(from, at));
        this.#endLine(out);
        out.push(crlf.subarray(1));
        from = at + 1;
      }
    }
    this.#keep(out, bytes.subarray(from));
    return Buffer.concat(out);
  }

  /** What a last line without an end still holds. */
  end(): Buffer {
    const out: Buffer[] = [];
    this.#endLine(out);
    return Buffer.concat(out);
  }

  #keep(out: Buffer[], bytes: Buffer): void {
    if (bytes.length === 0) return;
    if (this.#over !== null) {
      // The piece is the caller's, who may use it again.
      this.#over.push(Buffer.from(bytes));
      this.#held += bytes.length;
      if (this.#passed || this.#held <= longestHeld) return;
    }
    out.push(...(this.#over ?? [bytes]));
    this.#over = null;
    this.#passed = true;
  }

  #endLine(out: Buffer[]): void {
    const held = this.#over ?? [];
    if (!this.#passed) out.push(...held);
    else if (held.some((part) => part.some((byte) => byte !== carriageReturn))) out.push(crlf.subarray(1), ...held);
    if (this.#lastOnly) this.#hold();
    else this.#over = null;
    this.#passed = false;
    this.#pending = false;
  }

  #hold(): void {
    this.#over = [];
    this.#held = 0;
  }
}

const crlf = Buffer.from('\r\n');
