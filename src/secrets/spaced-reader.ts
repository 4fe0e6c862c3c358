import type { Automaton } from './automaton.ts';
import { isHexDigit, isSeparator } from './byte-classes.ts';
import { longestFold } from './folded-reader.ts';
import { beginsInvisible } from './invisible.ts';
import { Reader, type Cut, type Found } from './reader.ts';

const zero = 0x30;
const isX = (byte: number | undefined): boolean => byte === 0x78 || byte === 0x58;

/**
 * Whether what a reader of digits knows before a byte of a piece, which may stand between two pairs, may go on after it: what is next says so, if it is in
 * the piece. Few numbers in a text are part of a value, and this keeps readers asleep for all others.
 */
export const goesOnApart = (
  { pairLink, depth, step }: Pick<Automaton, 'pairLink' | 'depth' | 'step'>,
  state: number,
  piece: Uint8Array,
  index: number,
): boolean => {
  const pairs = pairLink[state] ?? 0;
  if (pairs === 0 || !isSeparator(piece[index] ?? 0)) return false;
  const last = index + longestFold;
  for (let at = index + 1; at <= last; at += 1) {
    const byte = piece[at];
    if (byte === undefined || beginsInvisible(byte)) return true;
    if (isSeparator(byte)) continue;
    if (!isHexDigit(byte)) return false;
    const next = piece[at + 1];
    if (byte === zero && (next === undefined || isX(next) || beginsInvisible(next))) return true;
    return (depth[step(pairs, byte)] ?? 0) > 1;
  }
  return false;
};

/** Reads a stream as bytes in hexadecimal digits with something between them: `53 33`, `5333 6337`, `53:33`, `0x53, 0x33`, in one line or several. */
export class SpacedReader extends Reader {
  readonly #pairs: Int32Array;
  /** Bytes between two pairs of digits. */
  #gap = 0;
  /** Where a zero lies that may begin `0x`; -1: nowhere. */
  #zero = -1;

  constructor(automaton: Automaton, found: Found) {
    super(automaton, found);
    this.#pairs = automaton.pairLink;
  }

  override begin(state: number, offset: number): void {
    super.begin(state, offset);
    this.#gap = 0;
    this.#zero = -1;
  }

  #takeZero(): void {
    const at = this.#zero;
    this.#zero = -1;
    if (at >= 0) this.take(zero, at, at + 1);
  }

  read(byte: number, offset: number): void {
    if (this.#zero >= 0) {
      if (isX(byte)) {
        this.#zero = -1;
        return this.skipped();
      }
      this.#takeZero();
    }
    if (isHexDigit(byte)) {
      if (byte === zero && this.#gap > 0) this.#zero = offset;
      else this.take(byte, offset, offset + 1);
      this.#gap = 0;
    } else if (isSeparator(byte) && this.#gap < longestFold) {
      this.#gap += 1;
      this.skipped();
      // Only whole pairs may be apart.
      this.state = this.#pairs[this.state] ?? 0;
    } else this.state = 0;
  }

  override get pending(): number | null {
    return this.#zero < 0 ? null : this.#zero;
  }

  override earliest(done: number): number {
    return this.state === 0 ? (this.pending ?? done) : super.earliest(done);
  }

  /** A last zero is the beginning of `0x`, or a digit. */
  override cut(done: number): Cut | null {
    const before = super.cut(done);
    this.#takeZero();
    return before ?? super.cut(done);
  }

  override same(other: Reader, done: number): boolean {
    return super.same(other, done) && (!(other instanceof SpacedReader) || other.#gap === this.#gap);
  }
}
