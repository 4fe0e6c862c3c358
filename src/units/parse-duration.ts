import { OrcaError } from '../errors/orca-error.ts';
import { millis, type Millis } from './brands.ts';
import { visibleText } from './visible-text.ts';

const units: ReadonlyMap<string, number> = new Map([
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
]);
/** A hundred years: sums of it and of moments stay exact, and so does what a keeper is told. */
export const mostDurationMs = 36_500 * 86_400_000;
const part = /^(\d+(?:\.\d*)?|\.\d+)\s*([^\d.\s]*)\s*/;

/**
 * A duration that a person wrote: `500ms`, `20s`, `5m`, `1h30m`, `2d`; larger units first. Rounded to a millisecond.
 * Throws OrcaError `duration-invalid`; a number without a unit is refused, and one over a hundred years.
 */
export const parseDuration = (text: string): Millis => {
  const refuse = (why: string): never => {
    throw new OrcaError('duration-invalid', { value: visibleText(text), why });
  };
  let rest = text.trim().toLowerCase();
  let total = 0;
  let smallest = Infinity;
  if (rest.startsWith('-')) return refuse('it is below zero');
  if (rest === '') return refuse('there is no number in it');
  while (rest !== '') {
    const [whole, digits, name] = part.exec(rest) ?? [];
    if (whole === undefined || digits === undefined || name === undefined)
      return refuse('it is not numbers with units');
    if (name === '') return refuse(`${digits} has no unit (${digits}s? ${digits}m?)`);
    const size = units.get(name);
    if (size === undefined) return refuse(`${visibleText(name)} is no unit of time: use ms, s, m, h or d`);
    if (size >= smallest) return refuse('larger units come first, each once');
    smallest = size;
    total += Number(digits) * size;
    rest = rest.slice(whole.length);
  }
  const ms = Math.round(total);
  if (ms === 0) return refuse('it must be more than zero');
  if (!(ms <= mostDurationMs)) return refuse('it is too long: at most 36500d, a hundred years');
  return millis(ms);
};
