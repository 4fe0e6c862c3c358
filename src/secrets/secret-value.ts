import { SecretFailure } from './secret-failure.ts';
import { newline, withoutEnd } from './without-end.ts';

/** As much as Secrets Manager keeps in one. */
export const longestSecret = 65_536;

export const tooLong = `its value is longer than ${longestSecret / 1024} KB`;

/** What a source gave as the value of a variable: its trailing newlines are dropped, and nothing else. */
export const secretValue = (given: Uint8Array): string => {
  if (given.byteLength > longestSecret) throw new SecretFailure(tooLong);
  const text = decoded(withoutEnd(given, [newline]));
  if (text.includes('\0')) throw new SecretFailure('its value holds a zero byte, which no variable can hold');
  return text;
};

const decoded = (given: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(given);
  } catch {
    throw new SecretFailure('its value is binary, which no variable can hold: keep it as text, base64 for example');
  }
};
