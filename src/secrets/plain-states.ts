import type { Automaton } from './automaton.ts';
import { codedBytes, foldingByte } from './byte-classes.ts';
import { backslash } from './escapes.ts';
import { isEscapedLineEnd, shortestLine, slash } from './folded-reader.ts';
import { beginsInvisible } from './invisible.ts';

/** Where the readers are that take the bytes as they are. */
export interface PlainStates {
  /** Looking for the values. */
  readonly plain: number;
  /** Looking for them in base64 and hexadecimal digits. */
  readonly coded: number;
  /** Characters of base64 with nothing between them but backslashes. */
  readonly line: number;
}

export const plainAfter = (
  { plain, coded }: { readonly plain: Automaton; readonly coded: Automaton },
  before: PlainStates,
  byte: number,
): PlainStates => {
  const code = codedBytes[byte] ?? foldingByte;
  const isCoded = code < foldingByte;
  return {
    plain: plain.step(before.plain, byte),
    coded: isCoded ? coded.step(before.coded, code) : 0,
    line: isCoded ? before.line + 1 : byte === backslash ? before.line : 0,
  };
};

/**
 * Whether base64 or hexadecimal digits that a value is being found in may go on in the next line, or after a backslash. `next`: the byte after this one;
 * undefined: it is not there yet.
 */
export const isFold = (byte: number, next: number | undefined, before: PlainStates): boolean => {
  if (before.coded === 0) return false;
  if (byte === backslash) return maySplit(next, before.line >= shortestLine);
  return codedBytes[byte] === foldingByte && before.line >= shortestLine;
};

const maySplit = (next: number | undefined, isLine: boolean): boolean =>
  next === undefined ||
  next === slash ||
  next === backslash ||
  beginsInvisible(next) ||
  (isLine && isEscapedLineEnd(next));
