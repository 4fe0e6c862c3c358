import { OrcaError } from '../errors/orca-error.ts';
import { bytes, type Bytes } from './brands.ts';
import { visibleText } from './visible-text.ts';

const powers: ReadonlyMap<string, number> = new Map([
  ['k', 1],
  ['m', 2],
  ['g', 3],
  ['t', 4],
]);
const form = /^([+-]?)(\d+(?:\.\d*)?|\.\d+)\s*(.*)$/s;
const unit = /^([kmgt])(?:i?b)?$/i;

/**
 * A size that a person wrote: `512MB`, `1.5GiB`, `2g`; K, KB and KiB alike are powers of 1024. Part of a byte is rounded up.
 * Throws OrcaError `size-invalid`; a number without a unit is refused, since nobody knows what was meant.
 */
export const parseSize = (text: string): Bytes => {
  const refuse = (why: string): never => {
    throw new OrcaError('size-invalid', { value: visibleText(text), why });
  };
  const [, sign, digits, suffix] = form.exec(text.trim()) ?? [];
  if (digits === undefined || suffix === undefined) return refuse('it does not begin with a number');
  if (suffix === '') return refuse(`it has no unit (${digits}MB? ${digits}GB?)`);
  const power = powers.get(unit.exec(suffix)?.[1]?.toLowerCase() ?? '');
  if (power === undefined) return refuse(`${visibleText(suffix)} is no unit of size: use KB, MB, GB or TB`);
  if (sign === '-') return refuse('it is below zero');
  const size = Math.ceil(Number(digits) * 1024 ** power);
  if (size === 0) return refuse('it must be more than zero');
  if (!Number.isSafeInteger(size)) return refuse('it is too large');
  return bytes(size);
};
