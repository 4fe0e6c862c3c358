import { openS3 } from '../objects/s3-client.ts';
import type { PutObject } from './object-writer.ts';

interface S3Place {
  readonly bucket: string;
  readonly key: string;
}

const requestMs = 20_000;

/** An object in an object storage; its client is opened with the first upload. */
export const s3Object = ({ bucket, key }: S3Place, env: Readonly<Record<string, string | undefined>>): PutObject => {
  let opened: ReturnType<typeof openS3> | null = null;
  return async (body, signal) => {
    opened ??= openS3(env, requestMs);
    const { api, client } = await opened;
    const input = { Bucket: bucket, Key: key, Body: body, ContentType: 'application/x-ndjson' };
    await client.send(new api.PutObjectCommand(input), { abortSignal: signal });
  };
};
