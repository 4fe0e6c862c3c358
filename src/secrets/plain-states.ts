import type { Automaton } from './automaton.ts';
import { codedBytes, foldingByte } from './byte-classes.ts';
import { shortestLine } from './folded-reader.ts';

/** Where the readers are that take the bytes as they are. */
export interface PlainStates {
  /** Looking for the values. */
  readonly plain: number;
  /** Looking for them in base64 and hexadecimal digits. */
  readonly coded: number;
  /** Characters of base64 without anything between them. */
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
    line: isCoded ? before.line + 1 : 0,
  };
};

/** Whether base64 or hexadecimal digits that a value is being found in may go on in the next line. */
export const isFold = (byte: number, before: PlainStates): boolean =>
  codedBytes[byte] === foldingByte && before.coded !== 0 && before.line >= shortestLine;
