import { fetchByCommand } from './fetch-command.ts';
import { SecretFailure } from './secret-failure.ts';
import { readSecretFile } from './secret-file.ts';
import { filePathOf, variableOf } from './secret-name.ts';
import { secretValue } from './secret-value.ts';
import { fetchFromSecretsManager } from './secrets-manager.ts';
import type { Secret } from './secrets-env.ts';

/** Where secrets come from. */
export interface SecretSources {
  /** The words of `ORCA_SECRET_FETCH`, which every id goes to; none: by the id. */
  readonly command: readonly string[];
  /** `ORCA_SECRETS_ENDPOINT`. */
  readonly endpoint: string;
  /** The daemon's environment: of the command, and for credentials. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What the submitter's variables held, for `env:NAME`; it lives in memory only. */
  readonly kept: ReadonlyMap<string, string>;
  /** For each secret. */
  readonly timeoutMs: number;
}

/**
 * The values of `ids` (`{ NAME: ID }`), all at once. Throws SecretFailure for the first that cannot be had, with its id and why, and
 * when `signal` says that nobody wants them any more.
 */
export const fetchSecrets = async (
  ids: Readonly<Record<string, string>>,
  sources: SecretSources,
  signal: AbortSignal,
): Promise<Secret[]> => {
  // The first failure ends the others.
  const others = new AbortController();
  const all = AbortSignal.any([signal, others.signal]);
  try {
    return await Promise.all(
      Object.entries(ids).map(async ([name, id]) => ({ name, value: await fetchSecret(name, id, sources, all) })),
    );
  } finally {
    others.abort();
  }
};

const fetchSecret = async (name: string, id: string, sources: SecretSources, signal: AbortSignal): Promise<string> => {
  const time = AbortSignal.timeout(sources.timeoutMs);
  const either = AbortSignal.any([signal, time]);
  try {
    return secretValue(await Promise.race([fetchFrom(id, sources, either), whenAborted(either)]));
  } catch (error) {
    const why = time.aborted && !signal.aborted ? `it did not come within ${sources.timeoutMs / 1000} s` : words(error);
    throw new SecretFailure(`${id} (for ${name}): ${why}`);
  }
};

const fetchFrom = (id: string, sources: SecretSources, signal: AbortSignal): Promise<Uint8Array> => {
  if (sources.command.length > 0) return fetchByCommand({ args: sources.command, env: sources.env }, id, signal);
  const path = filePathOf(id);
  if (path !== null) return readSecretFile(path);
  const variable = variableOf(id);
  if (variable !== null) return keptVariable(sources.kept, variable);
  return fetchFromSecretsManager(sources, id, signal);
};

const keptVariable = async (kept: ReadonlyMap<string, string>, variable: string): Promise<Uint8Array> => {
  const value = kept.get(variable);
  if (value !== undefined) return Buffer.from(value);
  throw new SecretFailure(
    'the daemon that took the run had it in memory, and has ended since; `orca retry` takes it from your environment again',
  );
};

/** Whatever a source does, it is not waited for longer. */
const whenAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const stop = (): void => reject(new SecretFailure('it is not waited for any longer'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });

/** Any other error may hold what a source gave. */
const words = (error: unknown): string =>
  error instanceof SecretFailure
    ? error.message
    : `it cannot be fetched (${error instanceof Error ? error.name : 'unknown error'})`;
