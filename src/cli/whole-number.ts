import { refusedOption } from './option-word.ts';

/** An option's whole number between two bounds. */
export function wholeNumber(option: string, value: string, least: number, most: number): number {
  const why = wholeFault(value, least, most);
  if (why === null) return Number(value);
  throw refusedOption(option, value, why, `Write for example ${option} ${Math.max(least, 1)}.`);
}

/** What is wrong with it; null for nothing. */
export const wholeFault = (value: string, least: number, most: number): string | null =>
  /^[+-]?\d+$/.test(value) && Number(value) >= least && Number(value) <= most
    ? null
    : `a whole number from ${least} to ${most} is needed`;
