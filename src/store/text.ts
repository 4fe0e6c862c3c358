import { OrcaError } from '../errors/orca-error.ts';

/** Refuses a NUL byte: Postgres cannot keep one, and no argument or path of a process can hold one. */
export const withoutNul = (what: string, text: string): string => {
  if (text.includes('\0')) throw new OrcaError('text-nul', { what });
  return text;
};

/** For texts of ours that quote a program's output: losing a byte is better than losing the verdict. */
export const storableText = <T extends string | null | undefined>(text: T): T =>
  (typeof text === 'string' ? text.replaceAll('\0', '\uFFFD') : text) as T;
