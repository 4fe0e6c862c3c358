import { secretsVariable } from '../settings/start-variables.ts';

/** A secret that a start gets. */
export interface Secret {
  readonly name: string;
  readonly value: string;
}

/** Environment entries: `NAME=value` each, then `ORCA_SECRETS` with their names, by which the logs are masked; nothing for none. */
export const secretsEnv = (secrets: readonly Secret[]): string[] =>
  secrets.length === 0
    ? []
    : [
        ...secrets.map(({ name, value }) => `${name}=${value}`),
        `${secretsVariable}=${secrets.map(({ name }) => name).join(',')}`,
      ];
