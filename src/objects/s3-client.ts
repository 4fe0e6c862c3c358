import type * as S3 from '@aws-sdk/client-s3';

type Environment = Readonly<Record<string, string | undefined>>;

/** AWS's own client, with the commands that it takes. */
export interface S3Access {
  readonly api: typeof S3;
  readonly client: S3.S3Client;
}

/**
 * For S3, or a storage that speaks as S3 does (`AWS_ENDPOINT_URL`): credentials, region and retries are the client's. It is an optional package,
 * loaded here. `requestTimeout`: of the client's own, in ms; null: each request brings a signal.
 */
export const openS3 = async (env: Environment, requestTimeout: number | null): Promise<S3Access> => {
  const api = await clientPackage();
  const elsewhere = env['AWS_ENDPOINT_URL_S3'] ?? env['AWS_ENDPOINT_URL'];
  const client = new api.S3Client({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 5000, ...(requestTimeout === null ? {} : { requestTimeout }) },
    // Other storages refuse checksums that they do not know, and seldom have a name for each bucket or care for the region.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(elsewhere === undefined ? {} : { forcePathStyle: true, region: env['AWS_REGION'] ?? 'us-east-1' }),
  });
  return { api, client };
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
