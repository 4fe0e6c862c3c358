import { variableOf } from './secret-name.ts';

type Variables = Readonly<Record<string, string>>;

export interface Taken {
  /** What may be written to a file: without what secrets are, or will be, in. */
  readonly env: Variables;
  /** What `env:NAME` ids name, by NAME. */
  readonly kept: ReadonlyMap<string, string>;
  /** The first variable that is named and not there; null: none. */
  readonly missing: string | null;
}

/**
 * Parts a caller's environment from its secrets (`ids`: `{ NAME: ID }`): the variables that `env:NAME` names are taken out, for memory only, and
 * what a secret goes into was perhaps one before.
 */
export const takeVariables = (ids: Variables, env: Variables): Taken => {
  const kept = new Map<string, string>();
  const left = new Map(Object.entries(env));
  let missing: string | null = null;
  for (const [name, id] of Object.entries(ids)) {
    left.delete(name);
    const variable = variableOf(id);
    if (variable === null) continue;
    const value = env[variable];
    if (value === undefined) missing ??= variable;
    else kept.set(variable, value);
    left.delete(variable);
  }
  return { env: Object.fromEntries(left), kept, missing };
};
