import type * as SecretsManager from '@aws-sdk/client-secrets-manager';
import { SecretFailure } from './secret-failure.ts';

export interface SecretsManagerPlace {
  /** `ORCA_SECRETS_ENDPOINT`; empty: AWS's own. */
  readonly endpoint: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * A secret of AWS Secrets Manager, by name or ARN, through AWS's own client: credentials (environment, profile, instance role) and retries are
 * its. The client is an optional package and is loaded with the first secret. One client for each, so that renewed credentials count.
 */
export const fetchFromSecretsManager = async (
  { endpoint, env }: SecretsManagerPlace,
  id: string,
  signal: AbortSignal,
): Promise<Uint8Array> => {
  const { SecretsManagerClient, GetSecretValueCommand } = await clientPackage();
  const region = regionOf(id) ?? env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION'];
  const client = new SecretsManagerClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 5000, requestTimeout: 10_000, throwOnRequestTimeout: true },
    ...(region === undefined ? {} : { region }),
    ...(endpoint === '' ? {} : { endpoint, region: region ?? 'us-east-1' }),
  });
  try {
    const answer = await client.send(new GetSecretValueCommand({ SecretId: id }), { abortSignal: signal });
    if (answer.SecretString !== undefined) return Buffer.from(answer.SecretString);
    if (answer.SecretBinary !== undefined) return answer.SecretBinary;
  } catch (error) {
    throw new SecretFailure(`Secrets Manager did not give it: ${reasonOf(error)}`);
  } finally {
    client.destroy();
  }
  throw new SecretFailure('Secrets Manager answered without a value');
};

const clientPackage = async (): Promise<typeof SecretsManager> => {
  try {
    return await import('@aws-sdk/client-secrets-manager');
  } catch {
    throw new SecretFailure(
      'the package @aws-sdk/client-secrets-manager is not installed beside orca (npm install -g @aws-sdk/client-secrets-manager)',
    );
  }
};

/** An ARN says where it is. */
const regionOf = (id: string): string | undefined => /^arn:[^:]+:secretsmanager:([a-z0-9-]+):/.exec(id)?.[1];

/** Words that tell where the client looked. */
const ownWords = new Set(['CredentialsProviderError', 'TokenProviderError', 'TimeoutError']);

/**
 * What the service or the client says. Of any other error only the name: that of an answer that could not be read may hold parts of it.
 */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown error';
  const { name, message } = error;
  if (message === 'Region is missing') return 'no region is set: give the daemon AWS_REGION, or name it by its ARN';
  const ofService = '$fault' in error && '$metadata' in error;
  if (ofService || ownWords.has(name)) return `${name}: ${firstLine(message)}`;
  return 'code' in error && typeof error.code === 'string' ? error.code : name;
};

const firstLine = (message: string): string => message.split('\n', 1)[0]?.slice(0, 300) ?? '';
