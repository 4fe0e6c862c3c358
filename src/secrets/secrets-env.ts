/** A secret that a start gets. */
export interface Secret {
  readonly name: string;
  readonly value: string;
}

/** The variable that names the others. */
export const secretsVariable = 'ORCA_SECRETS';

/** Environment entries: `NAME=value` each, then `ORCA_SECRETS` with their names, by which the logs are masked; nothing for none. */
export const secretsEnv = (secrets: readonly Secret[]): string[] =>
  secrets.length === 0
    ? []
    : [
        ...secrets.map(({ name, value }) => `${name}=${value}`),
        `${secretsVariable}=${secrets.map(({ name }) => name).join(',')}`,
      ];
