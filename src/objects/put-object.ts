import { createHash } from 'node:crypto';
import { withinTime } from './request-time.ts';
import type { S3Access } from './s3-client.ts';

export interface ObjectPlace {
  readonly bucket: string;
  readonly key: string;
}

/** What is read of a file at once; a larger one goes in parts of this size. */
export const partBytes = 8 * 1048576;

export const putWhole = async (
  { api, client }: S3Access,
  { bucket, key }: ObjectPlace,
  body: Uint8Array,
  signal: AbortSignal,
): Promise<void> => {
  const input = {
    Bucket: bucket,
    Key: key,
    Body: body,
    ContentMD5: md5Of(body),
    ContentType: 'application/octet-stream',
  };
  await client.send(new api.PutObjectCommand(input), { abortSignal: withinTime(signal, body.length) });
};

/** The storage refuses what does not come to this sum. */
export const md5Of = (body: Uint8Array): string => createHash('md5').update(body).digest('base64');
