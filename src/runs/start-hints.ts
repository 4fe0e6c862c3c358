import { hintsVariable, type Hints } from '../settings/start-variables.ts';
import type { Mib } from '../units/brands.ts';
import { memoryVariable } from './memory-env.ts';
import { threadVariables } from './thread-hints.ts';

/** What a start's environment may tell a program of what the start has. */
export interface Told {
  /** For the thread hints; null: none. */
  readonly threads: number | null;
  readonly limit: Mib;
  /** As `--memory-env` gave them. */
  readonly memoryEnv: readonly string[];
}

/**
 * An environment (`NAME=value` entries) with what tells the program of its threads and its memory. A hint for threads that is there already
 * stays; what was asked for by `--memory-env` is set. A variable of orca's own keeps what was put in, so that a run that is submitted
 * from inside this one does not take it for its caller's wish.
 */
export const withHints = (entries: readonly string[], { threads, limit, memoryEnv }: Told): readonly string[] => {
  if (threads === null && memoryEnv.length === 0) return entries;
  const before = new Map(entries.map(split));
  const now = new Map(before);
  if (threads !== null)
    for (const name of threadVariables) if (!isSet(before.get(name))) now.set(name, String(threads));
  for (const one of memoryEnv) {
    const { name, value } = memoryVariable(one);
    now.set(name, value(limit, now.get(name) ?? null));
  }
  const hints: Record<string, Hints[string]> = {};
  for (const [name, value] of now) if (value !== before.get(name)) hints[name] = [value, before.get(name) ?? null];
  if (Object.keys(hints).length === 0) return entries;
  return [...[...now].map(([name, value]) => `${name}=${value}`), `${hintsVariable}=${JSON.stringify(hints)}`];
};

const isSet = (value: string | undefined): boolean => value !== undefined && value !== '';

const split = (entry: string): [name: string, value: string] => {
  const equals = entry.indexOf('=');
  return equals < 0 ? [entry, ''] : [entry.slice(0, equals), entry.slice(equals + 1)];
};
