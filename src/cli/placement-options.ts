import { OrcaError } from '../errors/orca-error.ts';
import { parsePlacement } from '../runs/placement.ts';
import { filePathOf, secretIdProblem, secretNameProblem, variableOf } from '../secrets/secret-name.ts';

/** What `run` and `submit` are told of where a run runs and of its secrets, as it was typed. */
export interface PlacementOptions {
  readonly placement?: string;
  readonly secret?: readonly string[];
  readonly env?: readonly string[];
}

interface PlacementFields {
  readonly placement?: string | null;
  readonly secrets?: Readonly<Record<string, string>>;
}

/** Only what was typed. `wholePath` makes the path of a file absolute. */
export function placementFields(
  { placement, secret = [], env = [] }: PlacementOptions,
  wholePath: (path: string) => string,
): PlacementFields {
  const set = new Set(env.map((value) => value.split('=', 1)[0]));
  return {
    ...(placement === undefined ? {} : { placement: placementOf(placement) }),
    ...(secret.length === 0 ? {} : { secrets: secretsOf(secret, set, wholePath) }),
  };
}

function placementOf(value: string): string | null {
  const { placement, why } = parsePlacement(value);
  if (why === null) return placement;
  const hint = 'Write for example --placement control.';
  throw new OrcaError('option-invalid', { option: '--placement', value, why, hint });
}

function secretsOf(
  values: readonly string[],
  set: ReadonlySet<string | undefined>,
  wholePath: (path: string) => string,
): Record<string, string> {
  const secrets = new Map<string, string>();
  for (const value of values) {
    const equals = value.indexOf('=');
    const [name, id] = [value.slice(0, Math.max(0, equals)), value.slice(equals + 1)];
    const path = filePathOf(id);
    const whole = path === null || path === '' ? id : `file:${wholePath(path)}`;
    const why =
      equals < 1
        ? 'it has no NAME before a ='
        : (secretNameProblem(name) ??
          secretIdProblem(whole) ??
          twice(secrets, name) ??
          (set.has(name) ? 'that variable is set with --env as well' : null));
    if (why !== null) {
      const hint = 'Write --secret NAME=ID, where ID is a name in Secrets Manager, file:PATH or env:NAME.';
      // What follows the = may be a value that somebody took for an id.
      throw new OrcaError('option-invalid', {
        option: '--secret',
        value: name === '' ? 'without a name' : `${name}=…`,
        why,
        hint,
      });
    }
    secrets.set(name, whole);
  }
  return Object.fromEntries(secrets);
}

const twice = (secrets: ReadonlyMap<string, string>, name: string): string | null =>
  secrets.has(name) ? 'that variable has a secret already' : null;

/** What a daemon may be started with: not what `env:NAME` names, since it would live on there, and be in a file on its way. */
export function withoutSecretVariables(
  env: Readonly<Record<string, string>>,
  secrets: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const named = new Set(Object.values(secrets).map(variableOf));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !named.has(name)));
}

/** The environment to send: with the variables that `env:NAME` names, whatever else is left out of it. */
export function withSecretVariables(
  sent: Readonly<Record<string, string>>,
  all: Readonly<Record<string, string | undefined>>,
  secrets: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const result = new Map(Object.entries(sent));
  for (const id of Object.values(secrets)) {
    const variable = variableOf(id);
    const value = variable === null ? undefined : all[variable];
    if (variable !== null && value !== undefined && !result.has(variable)) result.set(variable, value);
  }
  return Object.fromEntries(result);
}
