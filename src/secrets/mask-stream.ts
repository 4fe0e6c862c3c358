import { hasLongest, hasPairs, hasWhole, touchesAfter, touchesBefore, type Automaton } from './automaton.ts';
import { codedBytes, foldingByte, longestCharacter } from './byte-classes.ts';
import { backslash, type Escaping } from './escapes.ts';
import { addInterval, dropIntervals, type Interval } from './intervals.ts';
import { beginsInvisible, invisibleProgress } from './invisible.ts';
import { MaskOutput } from './mask-output.ts';
import { plainAfter, type PlainStates } from './plain-states.ts';
import type { Before } from './reader.ts';
import { Readers } from './readers.ts';
import { goesOnApart } from './spaced-reader.ts';
import { Words, type Word } from './words.ts';

/** What is looked for; made once for a run's values, used by any number of streams. */
export interface Patterns {
  /** The values as they are. */
  readonly plain: Automaton;
  /** The values in base64 and in hexadecimal digits. */
  readonly coded: Automaton;
  /** Which ways of escaping can hide a value. */
  readonly escapings: readonly Escaping[];
  /** 1 for the bytes with which an escape, a colour or a fold may begin; 2 for `-`, which may stand between pairs of hexadecimal digits and is one of base64; 3 for a quote, which begins one only before some bytes. */
  readonly special: Uint8Array;
  /** The length of the longest value that counts only as a whole word; -1: there is none. */
  readonly words: number;
}

const isMatch = hasLongest | hasWhole;

const setStates = (
  states: { -readonly [Name in keyof PlainStates]: number },
  plain: number,
  coded: number,
  line: number,
): void => {
  states.plain = plain;
  states.coded = coded;
  states.line = line;
};

/** How far back a look goes for what is visible before a word; also how much of what was passed on is kept for that. */
const lookBack = 256;

/**
 * Replaces every byte of every match by `***`, one for bytes that follow each other; all else passes through as it is, in whatever pieces it comes.
 * It holds back only what may still become a match. Each byte costs a step of two automata, and a few more near escapes, colours and folds.
 */
export class MaskStream {
  readonly #patterns: Patterns;
  readonly #output = new MaskOutput(lookBack);
  /** Matches that hide everything between their ends, and those that leave colours as they are. */
  readonly #literal: Interval[] = [];
  readonly #matches: Interval[] = [];
  readonly #invisible: Interval[] = [];
  readonly #words = new Words();
  readonly #readers: Readers;
  #plain = 0;
  #coded = 0;
  /** Characters of base64 with nothing between them but backslashes. */
  #line = 0;
  /** The end of a match of which the next character holds some bits; -1: none. */
  #touched = -1;
  /** Where a sequence of a terminal's began (-1: nowhere), and the plain states before it. */
  #sequence = -1;
  #before = { plain: 0, coded: 0, line: 0 };

  constructor(patterns: Patterns) {
    this.#patterns = patterns;
    this.#readers = new Readers(patterns, {
      match: (start, end) => this.#addMatch(start, end),
      coded: (state, start, end) => this.#addMatch(this.#withEdges(state, start, end), end),
      word: (start, end, before) => this.#addWord({ start, end, literal: false }, before),
    });
  }

  /** What can be passed on now. */
  write(chunk: Uint8Array): Uint8Array {
    let at = this.#output.length;
    this.#output.append(chunk);
    const { special } = this.#patterns;
    const { table, hit, step } = this.#patterns.plain;
    const { table: codedTable, hit: codedHit, step: codedStep } = this.#patterns.coded;
    const [isTabled, codedIsTabled] = [table.length > 0, codedTable.length > 0];
    const readers = this.#readers;
    const patterns = this.#patterns.coded;
    // Kept in variables while nothing but these two readers is concerned.
    let plain = this.#plain;
    let coded = this.#coded;
    let line = this.#line;
    // Two for all bytes: one for each took a good part of the time.
    const was = { plain: 0, coded: 0, line: 0 };
    const now = { plain: 0, coded: 0, line: 0 };
    for (let index = 0; index < chunk.length; index += 1, at += 1) {
      const byte = chunk[index] ?? 0;
      const plainBefore = plain;
      const codedBefore = coded;
      const lineBefore = line;
      plain = isTabled ? (table[plain * 256 + byte] ?? 0) : step(plain, byte);
      const code = codedBytes[byte] ?? foldingByte;
      let kind = special[byte];
      if (code < foldingByte) {
        coded = codedIsTabled ? (codedTable[coded * 256 + code] ?? 0) : codedStep(coded, code);
        line += 1;
      } else {
        // All that may stand between pairs but `-`, which is one of base64.
        if (kind === 0 && ((codedHit[coded] ?? 0) & hasPairs) !== 0 && goesOnApart(patterns, coded, chunk, index))
          kind = 1;
        else if (kind === 3) kind = readers.isWokenByQuote(byte, chunk[index + 1]) ? 1 : 0;
        coded = 0;
        if (byte !== backslash) line = 0;
      }
      const isSpecial = kind !== 0 && (kind === 1 || goesOnApart(patterns, codedBefore, chunk, index));
      if (isSpecial || this.#sequence >= 0 || readers.awake || this.#words.waiting.length > 0) {
        setStates(was, plainBefore, codedBefore, lineBefore);
        setStates(now, plain, coded, line);
        line = this.#look(byte, at, was, now);
      }
      if (this.#touched >= 0) this.#touch(code, at);
      if (plain !== 0 && hit[plain] !== 0) this.#tell(plain, at + 1);
      if (coded !== 0 && ((codedHit[coded] ?? 0) & isMatch) !== 0) this.#tellCoded(coded, at + 1);
    }
    this.#plain = plain;
    this.#coded = coded;
    this.#line = line;
    return this.#emit(this.#settled());
  }

  /** The rest, when nothing more comes. */
  end(): Uint8Array {
    this.#cutShort();
    this.#giveUpSequence(this.#output.length);
    this.#readers.end();
    this.#hideWords(this.#words.end());
    return this.#emit(this.#output.length);
  }

  /** Where a stream ends with most of a value, its writer was stopped inside it. A terminal's sequence may have begun there. */
  #cutShort(): void {
    const done = this.#output.length;
    const edge = this.#sequence < 0 ? done : this.#sequence;
    const { plain, coded } = this.#patterns;
    for (const [end, states] of [
      [done, { plain: this.#plain, coded: this.#coded }],
      [edge, this.#sequence < 0 ? { plain: 0, coded: 0 } : this.#before],
    ] as const) {
      const cut = plain.cutLink[states.plain] ?? 0;
      if (cut !== 0) addInterval(this.#literal, end - (plain.depth[cut] ?? 0), end);
      const codedCut = coded.cutLink[states.coded] ?? 0;
      if (codedCut === 0) continue;
      const start = end - (coded.depth[codedCut] ?? 0);
      addInterval(this.#literal, coded.cutTouches(codedCut) ? this.#withCharacterBefore(start) : start, end);
    }
    const cuts = this.#readers.cuts(edge);
    for (const { start, end } of cuts.plain) this.#addMatch(start, end);
    for (const { state, start, end } of cuts.coded)
      this.#addMatch(coded.cutTouches(state) ? this.#withCharacterBefore(start) : start, end);
  }

  /** A byte with an escape, a colour, a fold or a word about; the plain states before it and after it, which are not kept. Gives the line: colours do not end one. */
  #look(byte: number, at: number, before: PlainStates, after: PlainStates): number {
    if (this.#sequence >= 0) {
      const start = this.#sequence;
      const progress = invisibleProgress(this.#output.at(start + 1), byte, at - start + 1);
      if (progress === 'more') return after.line;
      if (progress === 'whole') {
        this.#sequence = -1;
        this.#invisible.push({ start, end: at + 1 });
        this.#readers.skip(start, this.#before);
        const inside = plainAfter(this.#patterns, this.#before, this.#output.at(start));
        this.#readers.wakeInside(start + 1, this.#output.slice(start + 1, at + 1), inside);
        // Where it was none, its letters belong to the line.
        return this.#before.line + after.line;
      }
      this.#giveUpSequence(at);
    }
    if (beginsInvisible(byte)) {
      this.#sequence = at;
      this.#before = { ...before };
      return after.line;
    }
    this.#see(byte, at, before);
    this.#readers.rest(after.plain, after.coded, at + 1);
    return after.line;
  }

  /** A visible byte, and the plain states before it. */
  #see(byte: number, at: number, before: PlainStates): void {
    if (this.#words.waiting.length > 0) this.#hideWords(this.#words.settle(byte, at));
    const next = at + 1 < this.#output.length ? this.#output.at(at + 1) : undefined;
    this.#readers.read(byte, next, at, before);
  }

  /** What had begun as a sequence is none: its bytes were visible. */
  #giveUpSequence(until: number): void {
    if (this.#sequence < 0) return;
    const start = this.#sequence;
    this.#sequence = -1;
    let before = this.#before;
    for (let at = start; at < until; at += 1) {
      const byte = this.#output.at(at);
      this.#see(byte, at, before);
      before = plainAfter(this.#patterns, before, byte);
    }
  }

  #tell(state: number, end: number): void {
    const { hit, longest, wholeLink, depth, fail } = this.#patterns.plain;
    const flags = hit[state] ?? 0;
    if ((flags & hasLongest) !== 0) addInterval(this.#literal, end - (longest[state] ?? 0), end);
    if ((flags & hasWhole) === 0) return;
    for (let at = wholeLink[state] ?? 0; at !== 0; at = wholeLink[fail[at] ?? 0] ?? 0) {
      const start = end - (depth[at] ?? 0);
      this.#addWord({ start, end, literal: true }, { seen: [], from: start });
    }
  }

  #tellCoded(state: number, end: number): void {
    const { hit, longest, wholeLink, depth, fail } = this.#patterns.coded;
    const flags = hit[state] ?? 0;
    // In one piece: what of it looks like the rest of a terminal's sequence is hidden all the same.
    if ((flags & hasLongest) !== 0)
      addInterval(this.#literal, this.#withEdges(state, end - (longest[state] ?? 0), end), end);
    if ((flags & hasWhole) === 0) return;
    for (let at = wholeLink[state] ?? 0; at !== 0; at = wholeLink[fail[at] ?? 0] ?? 0) {
      const start = end - (depth[at] ?? 0);
      this.#addWord({ start, end, literal: true }, { seen: [], from: start });
    }
  }

  /** The beginning, with the character in front where it touches and holds some bits of the value; the one after it is looked for. */
  #withEdges(state: number, start: number, end: number): number {
    const flags = this.#patterns.coded.hit[state] ?? 0;
    if ((flags & touchesAfter) !== 0) this.#touched = end;
    return (flags & touchesBefore) === 0 ? start : this.#withCharacterBefore(start);
  }

  #withCharacterBefore(start: number): number {
    const touches = start > 0 && !this.#invisible.some((part) => part.end === start);
    return touches && (codedBytes[this.#output.at(start - 1)] ?? foldingByte) < foldingByte ? start - 1 : start;
  }

  /** What a match begins inside of was no sequence, whatever it looked like. */
  #addMatch(start: number, end: number): void {
    addInterval(this.#matches, start, end);
    for (let index = this.#invisible.length - 1; index >= 0; index -= 1) {
      const part = this.#invisible[index];
      if (part === undefined || part.end <= start) return;
      if (part.start < start) addInterval(this.#literal, start, Math.min(end, part.end));
    }
  }

  #touch(code: number, at: number): void {
    if (at < this.#touched) return;
    if (at === this.#touched && code < foldingByte) addInterval(this.#literal, at, at + 1);
    this.#touched = -1;
  }

  #addWord(word: Word, { seen, from }: Before): void {
    this.#words.add(word, [...this.#visibleBefore(from, longestCharacter - seen.length), ...seen]);
  }

  #hideWords(words: readonly Word[]): void {
    for (const { start, end, literal } of words) addInterval(literal ? this.#literal : this.#matches, start, end);
  }

  /** So many visible bytes before an offset, if they are not far away. */
  #visibleBefore(offset: number, count: number): number[] {
    const bytes: number[] = [];
    let index = this.#invisible.length - 1;
    const last = Math.max(0, offset - lookBack + 1);
    for (let at = offset; at > last && bytes.length < count;) {
      let range = this.#invisible[index];
      while (range !== undefined && range.end > at) range = this.#invisible[(index -= 1)];
      if (range?.end === at) at = range.start;
      else bytes.unshift(this.#output.at((at -= 1)));
    }
    return bytes;
  }

  /** Up to where no match can still begin. */
  #settled(): number {
    const done = this.#output.length;
    const { plain, coded } = this.#patterns;
    const beginning = (at: number, states: PlainStates): number => {
      const codedDepth = coded.depth[states.coded] ?? 0;
      return at - Math.max(plain.depth[states.plain] ?? 0, codedDepth < states.line ? codedDepth + 1 : codedDepth);
    };
    let until = beginning(done, { plain: this.#plain, coded: this.#coded, line: this.#line });
    until = Math.min(until, this.#readers.earliest(done));
    for (const word of this.#words.waiting) until = Math.min(until, word.start);
    return this.#sequence < 0 ? until : Math.min(until, beginning(this.#sequence, this.#before));
  }

  #emit(until: number): Uint8Array {
    const bytes = this.#output.take(until, this.#literal, this.#matches, this.#invisible);
    dropIntervals(this.#literal, until);
    dropIntervals(this.#matches, until);
    dropIntervals(this.#invisible, until - lookBack);
    return bytes;
  }
}
