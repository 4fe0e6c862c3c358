/** What a person writes for runs: the number of one, or `g` and a number for a group, which has that of its first run. Pure. */
import { runId, type RunId } from '../units/brands.ts';

export type Handle = { readonly run: RunId } | { readonly group: number };

/** `12`, `g12`; null for anything else. */
export const parseHandle = (text: string): Handle | null => {
  const [, letter, digits = ''] = /^(g?)(\d{1,16})$/.exec(text) ?? [];
  const number = Number(digits);
  if (letter === undefined || !Number.isSafeInteger(number) || number < 1) return null;
  return letter === 'g' ? { group: number } : { run: runId(number) };
};

export const groupHandle = (group: number): string => `g${group}`;

/** A name that would be taken for a handle. */
export const looksLikeHandle = (name: string): boolean => /^g?\d+$/.test(name);
