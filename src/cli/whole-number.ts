import { OrcaError } from '../errors/orca-error.ts';

/** An option's whole number between two bounds. */
export function wholeNumber(option: string, value: string, least: number, most: number): number {
  const number = Number(value);
  if (!/^[+-]?\d+$/.test(value) || number < least || number > most) {
    const why = `a whole number from ${least} to ${most} is needed`;
    throw new OrcaError('option-invalid', {
      option,
      value,
      why,
      hint: `Write for example ${option} ${Math.max(least, 1)}.`,
    });
  }
  return number;
}
