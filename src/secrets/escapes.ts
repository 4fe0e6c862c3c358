import { beginsInvisible } from './invisible.ts';

/**
 * How a text may write a byte otherwise: not at all; as URLs do; as forms do, with `+` for a space; as JSON, programs and shells do; as shells do
 * inside single quotes; as HTML and XML do; with `""` for `"`, as CSV does; with `''` for `'`, as SQL does.
 */
export type Escaping = 'none' | 'percent' | 'form' | 'slash' | 'quoted' | 'html' | 'csv' | 'sql';

/** What the text says next: so many of its bytes stand for these; null: that takes more text to know. */
export interface Token {
  readonly length: number;
  readonly bytes: readonly number[];
}

const percent = 0x25;
const plus = 0x2b;
const space = 0x20;
export const backslash = 0x5c;
const quote = 0x27;
const doubleQuote = 0x22;
const ampersand = 0x26;
const openBrace = 0x7b;

const controls = new Map(
  Object.entries({ n: 10, r: 13, t: 9, b: 8, f: 12, a: 7, v: 11, e: 27, E: 27 }).map(([letter, byte]) => [
    letter.charCodeAt(0),
    byte,
  ]),
);
/** The letters after a backslash that numbers follow, and how many digits those have. */
const numbered = new Map([
  [0x78, 2], // \x41
  [0x75, 4], // \u0041
  [0x55, 8], // \U00000041
]);
/** `\x{`, eight digits, `}`. */
const longestBraced = 12;

/** The quote that a text has twice for one; null: it does nothing of the kind. */
export const doubledQuote = (escaping: Escaping): number | null =>
  escaping === 'csv' ? doubleQuote : escaping === 'sql' ? quote : null;

/** Texts are full of quotes, and few begin an escape. */
export const isOfQuotes = (escaping: Escaping): boolean => escaping === 'quoted' || doubledQuote(escaping) !== null;

/** Whether a quote may begin one, as far as the byte after it says; undefined: it is not there yet. */
export const quoteMayBegin = (escaping: Escaping, next: number | undefined): boolean => {
  if (next === undefined || beginsInvisible(next)) return true;
  return escaping === 'quoted' ? next === backslash || next === doubleQuote : next === doubledQuote(escaping);
};

/** Whether an escape may begin with this byte. */
export const wokenBy = (escaping: Escaping, byte: number): boolean => {
  if (escaping === 'percent') return byte === percent;
  if (escaping === 'form') return byte === percent || byte === plus;
  if (escaping === 'slash') return byte === backslash;
  if (escaping === 'html') return byte === ampersand;
  if (escaping === 'quoted') return byte === quote;
  return byte === doubledQuote(escaping);
};

/** The first token of a text that is not empty. A byte that begins no escape stands for itself. */
export const firstToken = (escaping: Escaping, text: readonly number[]): Token | null => {
  const first = text[0] ?? 0;
  if (first === percent && (escaping === 'percent' || escaping === 'form')) return percentToken(text);
  if (first === plus && escaping === 'form') return { length: 1, bytes: [space] };
  if (first === backslash && escaping === 'slash') return slashToken(text);
  if (first === ampersand && escaping === 'html') return entityToken(text);
  if (first === quote && escaping === 'quoted') return quoteToken(text);
  if (first === doubledQuote(escaping)) return twiceToken(text);
  return itself(text);
};

const itself = (text: readonly number[]): Token => ({ length: 1, bytes: [text[0] ?? 0] });

const twiceToken = (text: readonly number[]): Token | null => {
  const [first, second] = text;
  if (first === undefined || second === undefined) return null;
  return second === first ? { length: 2, bytes: [first] } : itself(text);
};

const noDigit = 255;
const digitOf = Uint8Array.from({ length: 256 }, (_, byte) => {
  const digit = Number.parseInt(String.fromCharCode(byte), 16);
  return Number.isNaN(digit) ? noDigit : digit;
});

/** The digits' number; null: too few are there yet; NaN: one is no digit. */
const digits = (text: readonly number[], from: number, count: number, base: 8 | 16): number | null => {
  let value = 0;
  for (let at = from; at < from + count; at += 1) {
    const byte = text[at];
    if (byte === undefined) return null;
    const digit = digitOf[byte] ?? noDigit;
    if (digit >= base) return Number.NaN;
    value = value * base + digit;
  }
  return value;
};

const percentToken = (text: readonly number[]): Token | null => {
  const value = digits(text, 1, 2, 16);
  if (value === null) return null;
  return Number.isNaN(value) ? itself(text) : { length: 3, bytes: [value] };
};

const slashToken = (text: readonly number[]): Token | null => {
  const kind = text[1];
  if (kind === undefined) return null;
  const count = numbered.get(kind);
  if (count !== undefined) return text[2] === openBrace ? bracedToken(text) : numberToken(text, count);
  if (kind >= 0x30 && kind <= 0x37) {
    const value = digits(text, 1, 3, 8);
    if (value === null) return null;
    return value <= 255 ? { length: 4, bytes: [value] } : itself(text);
  }
  // Shells put a backslash before whatever means something to them.
  return { length: 2, bytes: [controls.get(kind) ?? kind] };
};

const numberToken = (text: readonly number[], count: number): Token | null => {
  const value = digits(text, 2, count, 16);
  if (value === null) return null;
  if (Number.isNaN(value) || value > 0x10ffff) return itself(text);
  const length = 2 + count;
  if (count === 2) return { length, bytes: [value] };
  if (isCharacter(value)) return { length, bytes: [...Buffer.from(String.fromCodePoint(value))] };
  // Half a character: the other half follows in the same way.
  if (count !== 4 || value > 0xdbff) return itself(text);
  for (const [at, wanted] of [backslash, 0x75].entries()) {
    if (text[length + at] === undefined) return null;
    if (text[length + at] !== wanted) return itself(text);
  }
  const low = digits(text, length + 2, 4, 16);
  if (low === null) return null;
  if (Number.isNaN(low) || low < 0xdc00 || low > 0xdfff) return itself(text);
  return { length: length * 2, bytes: [...Buffer.from(String.fromCharCode(value, low))] };
};

/** A character by its number, `\x{e9}` or `\u{1f600}`. */
const bracedToken = (text: readonly number[]): Token | null => {
  const begun = String.fromCharCode(...text.slice(0, longestBraced));
  if (/^\\[xu]\{[0-9a-fA-F]{0,8}$/.test(begun)) return null;
  const [whole, number = ''] = /^\\[xu]\{([0-9a-fA-F]{1,8})\}/.exec(begun) ?? [];
  const value = Number.parseInt(number, 16);
  if (whole === undefined || !isCharacter(value)) return itself(text);
  return { length: whole.length, bytes: [...Buffer.from(String.fromCodePoint(value))] };
};

/** Halves of characters are none. */
const isCharacter = (value: number): boolean => value <= 0x10ffff && (value < 0xd800 || value > 0xdfff);

/** A quote inside single quotes: `'\''`, or `'"'"'`. */
const quoteToken = (text: readonly number[]): Token | null => {
  for (const form of [
    [quote, backslash, quote, quote],
    [quote, doubleQuote, quote, doubleQuote, quote],
  ]) {
    const same = form.findIndex((byte, at) => text[at] !== byte);
    if (same < 0) return { length: form.length, bytes: [quote] };
    if (same >= text.length) return null;
  }
  return itself(text);
};

/** The characters that HTML and XML must not have as they are. All others are written by their numbers, if at all. */
const entities: ReadonlyMap<string, number> = new Map([
  ['&amp;', ampersand],
  ['&lt;', 0x3c],
  ['&gt;', 0x3e],
  ['&quot;', doubleQuote],
  ['&apos;', quote],
]);
/** `&#x`, and more digits than any number has that is meant. */
const longestEntity = 12;

const entityToken = (text: readonly number[]): Token | null => {
  const end = text.indexOf(0x3b);
  const begun = String.fromCharCode(...text.slice(0, end < 0 ? longestEntity : Math.min(end + 1, longestEntity)));
  if (end < 0) return mayBeEntity(begun) ? null : itself(text);
  const named = entities.get(begun);
  if (named !== undefined) return { length: begun.length, bytes: [named] };
  const [, decimal, hexadecimal = ''] = /^&#(?:(\d+)|[xX]([0-9a-fA-F]+));$/.exec(begun) ?? [];
  const value = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal);
  if (!isCharacter(value)) return itself(text);
  return { length: begun.length, bytes: [...Buffer.from(String.fromCodePoint(value))] };
};

const mayBeEntity = (begun: string): boolean =>
  begun.length < longestEntity &&
  (/^&(?:#(?:\d*|[xX][0-9a-fA-F]*))?$/.test(begun) || [...entities.keys()].some((name) => name.startsWith(begun)));
