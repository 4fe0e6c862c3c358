const newline = 10;
const carriageReturn = 13;

/**
 * Folds lines that a program writes over again and again, as progress bars are: of each such line its first state passes at once, and its
 * last one when the line ends. What has no lone carriage return passes as it is, and as it comes. Bytes in, bytes out; one for each stream.
 */
export class FoldReturns {
  /** Null: nothing was written over in this line so far. */
  #over: Buffer[] | null = null;
  /** A return at the end of a piece: what follows says whether it belongs to the line's end. */
  #pending = false;

  push(piece: Uint8Array): Buffer {
    const out: Buffer[] = [];
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    let from = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (this.#pending) {
        this.#pending = false;
        if (byte === newline) {
          this.#keep(out, crlf.subarray(0, 1));
        } else {
          // The state before it is written over.
          this.#over = [];
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
    if (this.#over === null) out.push(bytes);
    // The piece is the caller's, who may use it again.
    else this.#over.push(Buffer.from(bytes));
  }

  #endLine(out: Buffer[]): void {
    if (this.#over !== null && this.#over.some((part) => part.some((byte) => byte !== carriageReturn))) {
      out.push(crlf.subarray(1), ...this.#over);
    }
    this.#over = null;
    this.#pending = false;
  }
}

const crlf = Buffer.from('\r\n');
