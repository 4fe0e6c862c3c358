import { fetchSecrets } from '../secrets/fetch-secrets.ts';
import { SecretFailure } from '../secrets/secret-failure.ts';
import type { Secret } from '../secrets/secrets-env.ts';
import { unknownSecrets } from '../store/json-columns.ts';
import type { Run } from '../store/run.ts';
import type { Scheduler } from './scheduler.ts';
import { fetchWords } from './submitted-secrets.ts';

/** For each secret; a start waits no longer. */
const fetchWithinMs = 30_000;

/** The values of a run's secrets, from where they are kept now. Throws a SecretFailure. */
export const fetchRunSecrets = (
  scheduler: Scheduler,
  run: Pick<Run, 'id' | 'secrets'>,
  signal: AbortSignal,
): Promise<readonly Secret[]> => {
  if (run.secrets === unknownSecrets)
    return Promise.reject(new SecretFailure('which secrets it has cannot be read in the store'));
  const { settings, env, keptSecrets } = scheduler;
  const sources = {
    command: fetchWords(scheduler),
    endpoint: settings.get('ORCA_SECRETS_ENDPOINT'),
    env,
    kept: keptSecrets.get(run.id) ?? new Map<string, string>(),
    timeoutMs: fetchWithinMs,
  };
  return fetchSecrets(run.secrets, sources, signal);
};
