import { EscapedReader } from './escaped-reader.ts';
import { isSeparator } from './byte-classes.ts';
import { doubledQuote, isOfQuotes, quoteMayBegin, wokenBy, type Escaping } from './escapes.ts';
import { FoldedReader } from './folded-reader.ts';
import type { Patterns } from './mask-stream.ts';
import { isFold, plainAfter, type PlainStates } from './plain-states.ts';
import type { Before, Cut } from './reader.ts';
import { SpacedReader } from './spaced-reader.ts';

interface Found {
  readonly match: (start: number, end: number) => void;
  readonly coded: (state: number, start: number, end: number) => void;
  readonly word: (start: number, end: number, before: Before) => void;
}

/** So many readers of one kind are followed at once. */
const most = 16;

/** The readers of one kind that are awake, and those to be used again. */
class Kind<R extends EscapedReader | FoldedReader | SpacedReader> {
  awake: R[] = [];
  readonly #spare: R[] = [];
  readonly #make: () => R;

  constructor(make: () => R) {
    this.#make = make;
  }

  /** One more; of too many the one that knows least sleeps. */
  wake(): R {
    if (this.awake.length >= most) {
      const least = this.awake.reduce((one, other) => (other.depth < one.depth ? other : one));
      this.awake = this.awake.filter((reader) => reader !== least);
      this.#spare.push(least);
    }
    const reader = this.#spare.pop() ?? this.#make();
    this.awake.push(reader);
    return reader;
  }

  read(byte: number, at: number): void {
    if (this.awake.length === 0) return;
    for (const reader of this.awake) reader.read(byte, at);
  }

  /** Sends to sleep what is of no use any more, the plain reader being in that state before an offset. */
  rest(state: number, words: number, at: number): void {
    if (this.awake.length === 0) return;
    // Nearly always there is one alone, and it is asked at each byte.
    const alone = this.awake.length === 1 ? this.awake[0] : undefined;
    if (alone !== undefined) {
      if (!alone.needless(state, words)) return;
      this.awake = [];
      this.#spare.push(alone);
      return;
    }
    const kept: R[] = [];
    for (const reader of this.awake) {
      const useless =
        reader.needless(state, words) ||
        (this.awake.length > 1 && this.awake.some((other) => other.tellsMore(reader, at))) ||
        kept.some((other) => other.same(reader, at));
      (useless ? this.#spare : kept).push(reader);
    }
    this.awake = kept;
  }
}

interface EscapedKind {
  readonly escaping: Escaping;
  readonly kind: Kind<EscapedReader>;
}

/** All readers that see something else than the bytes as they are. */
export class Readers {
  readonly #patterns: Patterns;
  readonly #escaped: readonly EscapedKind[];
  readonly #folded: Kind<FoldedReader>;
  readonly #spaced: Kind<SpacedReader>;
  /** The kinds that a byte wakes. */
  readonly #wakened: readonly (readonly EscapedKind[])[];
  awake = false;

  constructor(patterns: Patterns, { match, coded, word }: Found) {
    this.#patterns = patterns;
    const asIs = { match: (_: number, start: number, end: number) => match(start, end), word };
    this.#escaped = patterns.escapings.map((escaping) => ({
      escaping,
      kind: new Kind(() => new EscapedReader(escaping, patterns.plain, asIs)),
    }));
    this.#wakened = Array.from({ length: 256 }, (_, byte) =>
      this.#escaped.filter(({ escaping }) => wokenBy(escaping, byte)),
    );
    this.#folded = new Kind(() => new FoldedReader(patterns.coded, { match: coded, word }));
    // Bytes that lie apart are no word.
    const spaced = { match: asIs.match, word: () => undefined };
    this.#spaced = new Kind(() => new SpacedReader(patterns.coded, spaced));
  }

  /** Whether a quote wakes anything, as far as the byte after it says. */
  isWokenByQuote(quote: number, next: number | undefined): boolean {
    return (this.#wakened[quote] ?? []).some(({ escaping }) => quoteMayBegin(escaping, next));
  }

  /** A visible byte, the one after it as far as it is there, and the plain states before it. */
  read(byte: number, next: number | undefined, at: number, before: PlainStates): void {
    if (before.coded !== 0 && isSeparator(byte)) this.#wakeSpaced(at, before);
    const special = this.#patterns.special[byte];
    if (special === 1 || special === 3) {
      for (const { escaping, kind } of this.#wakened[byte] ?? []) {
        if (!isOfQuotes(escaping) || this.#isEscape(escaping, byte, next, before)) wakeEscaped(kind, before.plain, at);
      }
      if (isFold(byte, next, before)) this.#wakeFolded(at, before);
      this.awake = true;
    }
    if (!this.awake) return;
    for (const { kind } of this.#escaped) kind.read(byte, at);
    this.#folded.read(byte, at);
    this.#spaced.read(byte, at);
  }

  /** A terminal's sequence that begins at an offset stands for nothing. */
  skip(at: number, before: PlainStates): void {
    for (const { kind } of this.#escaped) {
      for (const reader of kind.awake) reader.skipped();
      if (before.plain !== 0) wakeEscaped(kind, before.plain, at);
    }
    for (const reader of this.#folded.awake) reader.skipped();
    for (const reader of this.#spaced.awake) reader.skipped();
    if (before.coded !== 0) {
      this.#wakeFolded(at, before);
      this.#spaced.wake().begin(before.coded, at);
    }
    this.awake = true;
  }

  /** What looks like a sequence may be a stray beginning of one and a value's escape after it. */
  wakeInside(from: number, bytes: Uint8Array, states: PlainStates): void {
    let before = states;
    for (const [index, byte] of bytes.entries()) {
      for (const { kind } of this.#wakened[byte] ?? []) {
        const reader = kind.wake();
        reader.begin(before.plain, from + index);
        for (const [further, next] of bytes.subarray(index).entries()) reader.read(next, from + index + further);
        this.awake = true;
      }
      if (isSeparator(byte)) {
        const reader = this.#wakeSpaced(from + index, before);
        for (const [further, next] of bytes.subarray(index).entries()) reader?.read(next, from + index + further);
      }
      before = plainAfter(this.#patterns, before, byte);
    }
  }

  rest(plain: number, coded: number, at: number): void {
    if (!this.awake) return;
    this.awake = false;
    for (const { kind } of this.#escaped) {
      kind.rest(plain, this.#patterns.words, at);
      this.awake ||= kind.awake.length > 0;
    }
    this.#folded.rest(coded, -1, at);
    this.#spaced.rest(coded, -1, at);
    this.awake ||= this.#folded.awake.length + this.#spaced.awake.length > 0;
  }

  /** Nothing that begins before this offset can become a match here. */
  earliest(done: number): number {
    let until = done;
    for (const { kind } of this.#escaped) {
      for (const reader of kind.awake) until = Math.min(until, reader.earliest(done));
    }
    for (const reader of this.#folded.awake) until = Math.min(until, reader.earliest(done));
    for (const reader of this.#spaced.awake) until = Math.min(until, reader.earliest(done));
    return until;
  }

  /** Values that were cut short where the stream ends, of the values as they are and of those in base64 and hexadecimal digits. */
  cuts(done: number): { readonly plain: readonly Cut[]; readonly coded: readonly Cut[] } {
    const cutsOf = (readers: readonly (EscapedReader | FoldedReader | SpacedReader)[]): Cut[] =>
      readers.map((reader) => reader.cut(done)).filter((cut) => cut !== null);
    return {
      plain: this.#escaped.flatMap(({ kind }) => cutsOf(kind.awake)),
      coded: cutsOf([...this.#folded.awake, ...this.#spaced.awake]),
    };
  }

  end(): void {
    for (const { kind } of this.#escaped) for (const reader of kind.awake) reader.end();
  }

  /** Whether a quote may begin an escape; two for one are no use where no value has one. */
  #isEscape(escaping: Escaping, quote: number, next: number | undefined, before: PlainStates): boolean {
    if (!quoteMayBegin(escaping, next)) return false;
    return doubledQuote(escaping) === null || this.#patterns.plain.step(before.plain, quote) !== 0;
  }

  #wakeFolded(at: number, { coded, line }: PlainStates): void {
    const known = this.#folded.awake.some((reader) => reader.state === coded && reader.line === line);
    if (!known) this.#folded.wake().beginLine(coded, at, line);
  }

  #wakeSpaced(at: number, { coded }: PlainStates): SpacedReader | null {
    const pairs = this.#patterns.coded.pairLink[coded] ?? 0;
    if (pairs === 0) return null;
    const reader = this.#spaced.wake();
    reader.begin(pairs, at);
    this.awake = true;
    return reader;
  }
}

/** Unless one that is awake sees all that a new one would. */
const wakeEscaped = (kind: Kind<EscapedReader>, state: number, at: number): void => {
  const covers = (reader: EscapedReader): boolean =>
    reader.pending === null && (state === 0 || (reader.state === state && reader.earliest(at) === at - reader.depth));
  if (!kind.awake.some(covers)) kind.wake().begin(state, at);
};
