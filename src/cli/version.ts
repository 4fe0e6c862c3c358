import { readFileSync } from 'node:fs';

/** Set by the build; sources that run as they are have neither. */
declare const ORCA_VERSION: string | undefined;
declare const ORCA_BUILT_AT: number | undefined;

export const version = (): string => (typeof ORCA_VERSION === 'undefined' ? packageVersion() : ORCA_VERSION);

/** When the program was built, ms since the epoch; null for sources. */
export const buildStamp = (): number | null => (typeof ORCA_BUILT_AT === 'undefined' ? null : ORCA_BUILT_AT);

function packageVersion(): string {
  const value: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return typeof value === 'object' && value !== null && 'version' in value ? String(value.version) : '0.0.0';
}
