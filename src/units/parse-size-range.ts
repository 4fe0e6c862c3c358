import { OrcaError } from '../errors/orca-error.ts';
import type { Bytes } from './brands.ts';
import { parseSize } from './parse-size.ts';
import { visibleText } from './visible-text.ts';

export interface SizeRange {
  readonly min: Bytes;
  readonly max: Bytes;
}

/** `MIN[..MAX]`: one size is both. Throws OrcaError `size-invalid`, also for a minimum over its maximum. */
export const parseSizeRange = (text: string): SizeRange => {
  const [low, high, ...more] = text.split('..');
  const refuse = (why: string): never => {
    throw new OrcaError('size-invalid', { value: visibleText(text), why });
  };
  if (low === undefined || more.length > 0 || text.includes('...'))
    return refuse('a range has one `..`, as in 2GB..8GB');
  if (high === undefined) {
    const size = parseSize(low);
    return { min: size, max: size };
  }
  if (low.trim() === '' || high.trim() === '') return refuse('a range needs both ends, as in 2GB..8GB');
  const range = { min: parseSize(low), max: parseSize(high) };
  if (range.min > range.max) return refuse(`its minimum, ${low.trim()}, is over its maximum, ${high.trim()}`);
  return range;
};
