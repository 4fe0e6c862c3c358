import { OrcaError } from '../errors/orca-error.ts';
import { takeVariables } from '../secrets/take-variables.ts';
import { splitWords } from '../units/split-words.ts';
import type { SubmitRequest } from '../wire/api.ts';
import type { LiveStart } from './live-start.ts';
import type { Scheduler } from './scheduler.ts';

export interface SubmittedSecrets {
  /** `{ NAME: ID }`. */
  readonly ids: Readonly<Record<string, string>>;
  /** The caller's environment as it may be kept in a file. */
  readonly env: Readonly<Record<string, string>>;
  /** What `env:NAME` ids name; for memory only. */
  readonly kept: ReadonlyMap<string, string>;
}

/** The secrets of a submission. A run inside another gets those of its parent: their values do not go into its captured environment. */
export const submittedSecrets = (
  scheduler: Scheduler,
  parent: LiveStart | null,
  { secrets = {}, env }: Pick<SubmitRequest, 'secrets' | 'env'>,
): SubmittedSecrets => {
  const ids = { ...parent?.row.secrets, ...secrets };
  if (Object.keys(ids).length === 0) return { ids, env, kept: new Map() };
  // With a command every id is its own.
  const taken = fetchWords(scheduler).length > 0 ? null : takeVariables(secrets, env);
  if (taken !== null && taken.missing !== null) throw new OrcaError('secret-variable-missing', { name: taken.missing });
  const before = parent === null ? undefined : scheduler.keptSecrets.get(parent.run);
  return {
    ids,
    env: withoutNames(taken?.env ?? env, Object.keys(ids)),
    kept: new Map([...(before ?? []), ...(taken?.kept ?? [])]),
  };
};

/** The words of `ORCA_SECRET_FETCH`. */
export const fetchWords = ({ settings }: Pick<Scheduler, 'settings'>): readonly string[] =>
  splitWords(settings.get('ORCA_SECRET_FETCH')) ?? [];

const withoutNames = (env: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));
