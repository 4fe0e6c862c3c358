import { isWeak } from './common-values.ts';
import { maskPatterns } from './mask-patterns.ts';
import { MaskStream } from './mask-stream.ts';
import { carriageReturn, newline, withoutEnd } from './without-end.ts';

export interface Secret {
  readonly name: string;
  readonly value: string | Uint8Array;
}

/** One stream's masking: pieces in, as they come; masked pieces out. */
export interface Masker {
  /** What can be passed on now; what may still become a value is held back. */
  readonly write: (chunk: Uint8Array) => Uint8Array;
  /** The rest, once. */
  readonly end: () => Uint8Array;
}

export interface Mask {
  /** What a person should know about how the values are masked; null: nothing. */
  readonly warning: string | null;
  /** For one more stream. */
  readonly open: () => Masker;
  /** One text, whole. */
  readonly text: (text: string) => string;
}

const untouched: Masker = { write: (chunk) => chunk, end: () => new Uint8Array() };

/**
 * Masks secrets' values in streams of bytes: as they are, and in base64, hexadecimal digits, URL, JSON, program, CSV and shell escapes, also with colours or
 * folds inside (docs/secrets.md). What an automaton is made of is made once. Values that are empty or blank mask nothing.
 */
export const maskValues = (secrets: readonly Secret[]): Mask => {
  const known = maskable(secrets);
  const patterns = known.length === 0 ? null : maskPatterns(known.map(({ value }) => value));
  const open = (): Masker => {
    if (patterns === null) return untouched;
    const stream = new MaskStream(patterns);
    return { write: (chunk) => stream.write(chunk), end: () => stream.end() };
  };
  return {
    warning: weakWarning(secrets),
    open,
    text: (text) => {
      const masker = open();
      return Buffer.concat([masker.write(Buffer.from(text)), masker.end()]).toString();
    },
  };
};

/** Which of them are masked as whole words only, in words; null: none. */
export const weakWarning = (secrets: readonly Secret[]): string | null => {
  const weak = maskable(secrets).filter(({ value }) => isWeak(value));
  return weak.length === 0 ? null : weakWords(weak.map(({ name }) => name));
};

const maskable = (secrets: readonly Secret[]): { readonly name: string; readonly value: Uint8Array }[] =>
  secrets
    .map(({ name, value }) => ({ name, value: withoutNewlines(value) }))
    .filter(({ value }) => value.some((byte) => byte > 0x20));

/** Programs print them without the newlines at their end. */
const withoutNewlines = (value: string | Uint8Array): Uint8Array =>
  withoutEnd(Buffer.from(value), [newline, carriageReturn]);

const weakWords = (names: readonly string[]): string => {
  const these = names.length === 1 ? 'The value of secret' : 'The values of secrets';
  const rest = 'short, a number or a common word: masked in the logs only as whole words.';
  return `${these} ${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} ${rest}`;
};
