import { hasLongest, hasWhole, type Automaton } from './automaton.ts';
import { longestCharacter } from './byte-classes.ts';

/** What a reader tells of the values that it sees, as offsets in the stream. */
export interface Found {
  readonly match: (state: number, start: number, end: number) => void;
  /** A value that counts only as a whole word. */
  readonly word: (start: number, end: number, before: Before) => void;
}

/** What is in front of a word as far as a reader saw it, one character at most; and where it began to read. */
export interface Before {
  readonly seen: readonly number[];
  readonly from: number;
}

/** A value that was cut short where the stream ends. */
export interface Cut {
  readonly state: number;
  readonly start: number;
  readonly end: number;
}

/** So far two readers are compared; kept apart they do no harm. */
const mostHops = 64;

/**
 * Steps an automaton by what the bytes of a stream mean, in one way of reading them. It lives from an escape, a colour or a fold on, until it knows
 * nothing more than who reads the bytes as they are.
 */
export class Reader {
  readonly #automaton: Automaton;
  readonly #found: Found;
  readonly #ring: Uint32Array;
  readonly #bytes: Uint8Array;
  readonly #mask: number;
  /** Before this offset every byte stood for itself. */
  #begun = 0;
  #count = 0;
  /** Where the newest byte that it took ended. */
  #taken = 0;
  /** Bytes since the last one that was not simply itself. */
  #plain = 0;
  state = 0;

  constructor(automaton: Automaton, found: Found) {
    this.#automaton = automaton;
    this.#found = found;
    const size = 2 ** Math.ceil(Math.log2(automaton.reach + 1 + longestCharacter));
    this.#ring = new Uint32Array(size);
    this.#bytes = new Uint8Array(size);
    this.#mask = size - 1;
  }

  /** Goes on from where the plain reader was before `offset`. A reader may be used again. */
  begin(state: number, offset: number): void {
    this.state = state;
    this.#begun = offset;
    this.#taken = offset;
    this.#count = 0;
    this.#plain = 0;
  }

  /** Something that stands for nothing lay here. */
  skipped(): void {
    this.#plain = 0;
  }

  /** The bytes from `start` to `end` stand for this one. */
  protected take(byte: number, start: number, end: number): void {
    this.#plain = end - start === 1 ? this.#plain + 1 : 0;
    this.#ring[this.#count & this.#mask] = start;
    this.#bytes[this.#count & this.#mask] = byte;
    this.#count += 1;
    this.#taken = end;
    this.state = this.#automaton.step(this.state, byte);
    const hit = this.#automaton.hit[this.state] ?? 0;
    if (hit !== 0) this.#tell(hit, end);
  }

  #tell(hit: number, end: number): void {
    const { longest, wholeLink, depth, fail } = this.#automaton;
    if ((hit & hasLongest) !== 0) this.#found.match(this.state, this.#startOf(longest[this.state] ?? 0, end), end);
    if ((hit & hasWhole) === 0) return;
    for (let at = wholeLink[this.state] ?? 0; at !== 0; at = wholeLink[fail[at] ?? 0] ?? 0) {
      const length = depth[at] ?? 0;
      const start = this.#startOf(length, end);
      this.#found.word(start, end, { seen: this.#seenBefore(length), from: Math.min(start, this.#begun) });
    }
  }

  #seenBefore(length: number): number[] {
    const seen: number[] = [];
    const first = Math.max(0, this.#count - length - longestCharacter);
    for (let at = first; at < this.#count - length; at += 1) seen.push(this.#bytes[at & this.#mask] ?? 0);
    return seen;
  }

  /** The ring holds the low 32 bits of offsets. */
  #startOf(length: number, end: number): number {
    if (length === 0) return end;
    if (length > this.#count) return this.#begun - (length - this.#count);
    return end - ((end - (this.#ring[(this.#count - length) & this.#mask] ?? 0)) >>> 0);
  }

  /** Where the stream ends, and what stands for nothing there. What had begun as an escape is the end of a value then. */
  cut(done: number): Cut | null {
    const state = this.#automaton.cutLink[this.state] ?? 0;
    if (state === 0) return null;
    const start = this.#startOf(this.#automaton.depth[state] ?? 0, done);
    return { state, start, end: this.pending === null ? this.#taken : done };
  }

  /** Nothing that begins before this offset can become a match here. */
  earliest(done: number): number {
    return this.#startOf(this.depth, done);
  }

  get depth(): number {
    return this.#automaton.depth[this.state] ?? 0;
  }

  /** Whether it says nothing more than the plain reader, now in that state, until the next event. Words are so long at most. */
  needless(state: number, words: number): boolean {
    if (this.pending !== null || this.#plain <= words) return false;
    return this.state === 0 || (this.state === state && this.#plain >= this.depth);
  }

  /** Where an escape began that is not whole yet. */
  get pending(): number | null {
    return null;
  }

  /** Whether the two, of one kind, have read the same bytes up to an offset and read on alike. */
  same(other: Reader, done: number): boolean {
    const alike = this.state === other.state && this.pending === other.pending;
    return alike && this.earliest(done) === other.earliest(done);
  }

  /** Whether all that the other, of the same kind, knows up to an offset is the end of what this one knows, byte for byte. */
  tellsMore(other: Reader, done: number): boolean {
    const { depth, fail } = this.#automaton;
    const wanted = other.depth;
    if (this.depth <= wanted || this.pending !== other.pending) return false;
    if (this.#startOf(wanted, done) !== other.#startOf(wanted, done)) return false;
    let state = this.state;
    for (let hops = 0; hops < mostHops && (depth[state] ?? 0) > wanted; hops += 1) state = fail[state] ?? 0;
    return state === other.state;
  }
}
