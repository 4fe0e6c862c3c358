import { OrcaError } from '../errors/orca-error.ts';
import { parseDuration } from '../units/parse-duration.ts';
import type { SubmitRequest } from '../wire/api.ts';
import { optionWord, refusedOption } from './option-word.ts';

export interface KeyOptions {
  readonly key?: string;
  readonly keyWindow?: string;
}

const keyMost = 200;
const example = 'nightly-2026-11-30';

/** The window of what was typed; the daemon knows the usual one. */
export function keyFields({ key, keyWindow }: KeyOptions): Pick<SubmitRequest, 'key_window_ms'> {
  if (keyWindow === undefined) return {};
  if (key === undefined) {
    const hint = 'Give the --key that it is about, or leave it out.';
    throw refusedOption('--key-window', keyWindow, 'there is no --key', hint);
  }
  return { key_window_ms: /^0+$/.test(keyWindow.trim()) ? 0 : parseDuration(keyWindow) };
}

/** The key of one command; null without. */
export const keyOf = ({ key }: KeyOptions): string | null =>
  key === undefined ? null : optionWord('--key', key, keyMost, example);

/** A key for each line of a file: `{}` in it stands for the line. */
export function keysOfLines(options: KeyOptions, lines: readonly string[]): string[] | null {
  const key = keyOf(options);
  if (key === null) return null;
  if (!key.includes('{}')) {
    const why = 'all lines would have the same key; `{}` in it stands for the line';
    throw refusedOption('--key', key, why, 'Write for example --key press-{}.');
  }
  return lines.map((line) => {
    try {
      return optionWord(
        '--key',
        key.replaceAll('{}', () => line),
        keyMost,
        'press-{}',
      );
    } catch (cause) {
      if (!(cause instanceof OrcaError)) throw cause;
      const hint = 'Make the lines shorter and plain, or leave the key out.';
      throw refusedOption('--key', `${key} with the line ${line}`, String(cause.params['why']), hint);
    }
  });
}
