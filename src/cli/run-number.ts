import { OrcaError } from '../errors/orca-error.ts';

/** The number of a run as it was typed. */
export function runNumber(value: string): number {
  const number = Number(value);
  if (!/^\d{1,16}$/.test(value) || !Number.isSafeInteger(number) || number < 1) {
    throw new OrcaError('run-number-invalid', { value });
  }
  return number;
}

/** Several; the same one twice counts once. */
export const runNumbers = (values: readonly string[]): number[] => [...new Set(values.map(runNumber))];
