import { objectFailure } from './object-failure.ts';
import { putWhole } from './put-object.ts';
import { withinTime } from './request-time.ts';
import { openS3, type S3Access } from './s3-client.ts';
import { uploadFile } from './upload-file.ts';

export interface ListedObject {
  readonly key: string;
  readonly bytes: number;
}

/** One bucket. Whatever fails rejects with an ObjectFailure, but for what the file system says of a file that is uploaded. */
export interface ObjectStorage {
  /** Resolves with the size once the storage has all of the file. */
  readonly upload: (key: string, file: string, signal: AbortSignal) => Promise<number>;
  /** False when there is one already, where the storage can tell. */
  readonly putNew: (key: string, body: Uint8Array, signal: AbortSignal) => Promise<boolean>;
  /** From byte `begin` up to `end`, which is in no part of it: at least one of them has to be there. */
  readonly read: (key: string, begin: number, end: number, signal: AbortSignal) => Promise<Uint8Array>;
  readonly size: (key: string, signal: AbortSignal) => Promise<number>;
  readonly list: (prefix: string, signal: AbortSignal) => Promise<ListedObject[]>;
  /** Also when there is none. */
  readonly remove: (key: string, signal: AbortSignal) => Promise<void>;
}

/** The client, and with it its package, is loaded with the first request. */
export const s3Storage = (bucket: string, env: Readonly<Record<string, string | undefined>>): ObjectStorage => {
  let opened: Promise<S3Access> | null = null;
  const open = (): Promise<S3Access> => {
    opened ??= openS3(env, null).catch((error: unknown) => {
      // It may be installed by and by.
      opened = null;
      throw error;
    });
    return opened;
  };
  const failing = async <T>(act: (s3: S3Access) => Promise<T>): Promise<T> => {
    try {
      return await act(await open());
    } catch (error) {
      throw error instanceof Error && 'syscall' in error && 'path' in error ? error : objectFailure(error);
    }
  };
  return {
    upload: (key, file, signal) => failing((s3) => uploadFile(s3, { bucket, key }, file, signal)),
    putNew: (key, body, signal) => failing((s3) => putNew(s3, bucket, key, body, signal)),
    read: (key, begin, end, signal) => failing((s3) => readRange(s3, bucket, key, { begin, end }, signal)),
    size: (key, signal) =>
      failing(async ({ api, client }) => {
        const input = { Bucket: bucket, Key: key };
        const found = await client.send(new api.HeadObjectCommand(input), { abortSignal: withinTime(signal, 0) });
        return found.ContentLength ?? 0;
      }),
    list: (prefix, signal) => failing((s3) => listAll(s3, bucket, prefix, signal)),
    remove: (key, signal) =>
      failing(async ({ api, client }) => {
        const input = { Bucket: bucket, Key: key };
        await client.send(new api.DeleteObjectCommand(input), { abortSignal: withinTime(signal, 0) });
      }),
  };
};

const putNew = async (
  s3: S3Access,
  bucket: string,
  key: string,
  body: Uint8Array,
  signal: AbortSignal,
): Promise<boolean> => {
  const { api, client } = s3;
  try {
    const input = { Bucket: bucket, Key: key, Body: body, IfNoneMatch: '*' };
    await client.send(new api.PutObjectCommand(input), { abortSignal: withinTime(signal, body.length) });
    return true;
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    if (name === 'PreconditionFailed' || name === 'ConditionalRequestConflict') return false;
    if (name !== 'NotImplemented') throw error;
    await putWhole(s3, { bucket, key }, body, signal);
    return true;
  }
};

const readRange = async (
  { api, client }: S3Access,
  bucket: string,
  key: string,
  { begin, end }: { readonly begin: number; readonly end: number },
  signal: AbortSignal,
): Promise<Uint8Array> => {
  const input = { Bucket: bucket, Key: key, Range: `bytes=${begin}-${end - 1}` };
  const { Body } = await client.send(new api.GetObjectCommand(input), { abortSignal: withinTime(signal, end - begin) });
  return Body === undefined ? new Uint8Array() : Body.transformToByteArray();
};

const listAll = async (
  { api, client }: S3Access,
  bucket: string,
  prefix: string,
  signal: AbortSignal,
): Promise<ListedObject[]> => {
  const found: ListedObject[] = [];
  for (let after: string | undefined; ;) {
    const input = { Bucket: bucket, Prefix: prefix, ...(after === undefined ? {} : { ContinuationToken: after }) };
    const page = await client.send(new api.ListObjectsV2Command(input), { abortSignal: withinTime(signal, 0) });
    for (const { Key, Size = 0 } of page.Contents ?? []) if (Key !== undefined) found.push({ key: Key, bytes: Size });
    after = page.NextContinuationToken;
    if (after === undefined) return found;
  }
};
