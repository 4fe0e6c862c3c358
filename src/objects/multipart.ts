import type { CompletedPart } from '@aws-sdk/client-s3';
import { md5Of, partBytes, type ObjectPlace } from './put-object.ts';
import { withinTime } from './request-time.ts';
import type { S3Access } from './s3-client.ts';

export interface PartSource {
  readonly size: number;
  readonly read: (at: number, length: number) => Promise<Uint8Array>;
}

const mostParts = 10_000;
const mebibyte = 1048576;

/** So that an object of that size has no more parts than a storage takes. */
export const partSizeFor = (size: number): number =>
  Math.max(partBytes, Math.ceil(size / mostParts / mebibyte) * mebibyte);

/** Uploads an object part by part; until the last step nobody sees any of it. What an earlier attempt left of it is dropped first. */
export const uploadInParts = async (
  s3: S3Access,
  place: ObjectPlace,
  source: PartSource,
  signal: AbortSignal,
): Promise<void> => {
  await dropUnfinished(s3, place, signal);
  const { api, client } = s3;
  const target = { Bucket: place.bucket, Key: place.key };
  const { UploadId } = await client.send(
    new api.CreateMultipartUploadCommand({ ...target, ContentType: 'application/octet-stream' }),
    { abortSignal: withinTime(signal, 0) },
  );
  const upload = { ...target, UploadId };
  try {
    const parts = await sendParts(s3, upload, source, signal);
    await client.send(new api.CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: parts } }), {
      abortSignal: withinTime(signal, source.size),
    });
  } catch (error) {
    // A daemon that leaves does not wait for it: whoever goes on drops it.
    if (!signal.aborted) await client.send(new api.AbortMultipartUploadCommand(upload)).catch(() => {});
    throw error;
  }
};

const sendParts = async (
  { api, client }: S3Access,
  upload: { readonly Bucket: string; readonly Key: string; readonly UploadId: string | undefined },
  { size, read }: PartSource,
  signal: AbortSignal,
): Promise<CompletedPart[]> => {
  const partSize = partSizeFor(size);
  const parts: CompletedPart[] = [];
  for (let at = 0; at < size; at += partSize) {
    const body = await read(at, Math.min(partSize, size - at));
    const part = { ...upload, PartNumber: parts.length + 1, Body: body, ContentMD5: md5Of(body) };
    const { ETag } = await client.send(new api.UploadPartCommand(part), {
      abortSignal: withinTime(signal, body.length),
    });
    parts.push({ PartNumber: parts.length + 1, ETag });
  }
  return parts;
};

/** Parts of an upload that a crash cut off are paid for, and nobody sees them. A storage that cannot list them keeps them for as long as its own rules say. */
const dropUnfinished = async (
  { api, client }: S3Access,
  { bucket, key }: ObjectPlace,
  signal: AbortSignal,
): Promise<void> => {
  try {
    const listed = await client.send(new api.ListMultipartUploadsCommand({ Bucket: bucket, Prefix: key }), {
      abortSignal: withinTime(signal, 0),
    });
    for (const { Key, UploadId } of listed.Uploads ?? [])
      if (Key === key)
        await client.send(new api.AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }), {
          abortSignal: withinTime(signal, 0),
        });
  } catch {
    signal.throwIfAborted();
  }
};
