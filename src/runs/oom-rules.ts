import type { OomRetry } from './retry.ts';

/** What a person says of deaths for memory: which are tried again, and which endings are one by their word alone. */
export interface OomRules {
  readonly retry: OomRetry;
  /** Exit codes that mean it, also as the 128 + n of a signal. */
  readonly exit_codes: readonly number[];
  /** A text near the end of standard error that means it, letter for letter; null: none. */
  readonly text: string | null;
}

/** Nothing is declared by itself. */
export const usualOomRules: OomRules = { retry: 'proved', exit_codes: [], text: null };
