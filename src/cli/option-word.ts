import { OrcaError } from '../errors/orca-error.ts';
import { visibleText } from '../units/visible-text.ts';

/** So much of a value that is refused is told. */
const toldMost = 60;

/** An option that is refused: one sentence, and an example. */
export function refusedOption(option: string, value: string, why: string, hint: string): OrcaError {
  const characters = [...value];
  const told = characters.length > toldMost ? `${characters.slice(0, toldMost).join('')}…` : value;
  return new OrcaError('option-invalid', { option, value: told, why, hint });
}

/** A word that people read and type again: a lock, a tag, a key. */
export function optionWord(option: string, value: string, most: number, example: string): string {
  const why = wordFault(value, most);
  if (why !== null) throw refusedOption(option, value, why, `Write for example ${option} ${example}.`);
  return value;
}

function wordFault(value: string, most: number): string | null {
  if (value.trim() === '') return 'it is empty';
  if ([...value].length > most) return `it has more than ${most} characters`;
  return visibleText(value) === value
    ? null
    : 'it has characters that would change a terminal (escape or control bytes)';
}
