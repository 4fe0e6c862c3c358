import { refusedOption } from './option-word.ts';

/** An option's whole number between two bounds. */
export function wholeNumber(option: string, value: string, least: number, most: number): number {
  const number = Number(value);
  if (/^[+-]?\d+$/.test(value) && number >= least && number <= most) return number;
  const why = `a whole number from ${least} to ${most} is needed`;
  throw refusedOption(option, value, why, `Write for example ${option} ${Math.max(least, 1)}.`);
}
