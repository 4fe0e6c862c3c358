import type * as S3 from '@aws-sdk/client-s3';
import type { PutObject } from './object-writer.ts';

interface S3Place {
  readonly bucket: string;
  readonly key: string;
}

/**
 * An object in S3, or in a storage that speaks as S3 does (`AWS_ENDPOINT_URL`), through AWS's own client: credentials, region and retries are its.
 * The client is an optional package and is loaded with the first upload.
 */
export const s3Object = ({ bucket, key }: S3Place, env: Readonly<Record<string, string | undefined>>): PutObject => {
  let opened: ReturnType<typeof open> | null = null;
  return async (body, signal) => {
    opened ??= open(env);
    const { client, PutObjectCommand } = await opened;
    const input = { Bucket: bucket, Key: key, Body: body, ContentType: 'application/x-ndjson' };
    await client.send(new PutObjectCommand(input), { abortSignal: signal });
  };
};

const open = async (env: Readonly<Record<string, string | undefined>>) => {
  const { S3Client, PutObjectCommand } = await clientPackage();
  const elsewhere = env['AWS_ENDPOINT_URL_S3'] ?? env['AWS_ENDPOINT_URL'];
  const client = new S3Client({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 5000, requestTimeout: 20_000 },
    // Other storages refuse checksums that they do not know, and seldom have a name for each bucket or care for the region.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    ...(elsewhere === undefined ? {} : { forcePathStyle: true, region: env['AWS_REGION'] ?? 'us-east-1' }),
  });
  return { client, PutObjectCommand };
};

const clientPackage = async (): Promise<typeof S3> => {
  try {
    return await import('@aws-sdk/client-s3');
  } catch (cause) {
    throw new Error('the package @aws-sdk/client-s3 is not installed beside orca (npm install -g @aws-sdk/client-s3)', {
      cause,
    });
  }
};
