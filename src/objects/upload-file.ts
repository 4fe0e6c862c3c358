import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { FileFailure, ObjectFailure } from './object-failure.ts';
import { uploadInParts } from './multipart.ts';
import { partBytes, putWhole, type ObjectPlace } from './put-object.ts';
import { withinTime } from './request-time.ts';
import type { S3Access } from './s3-client.ts';

/**
 * Uploads a file as one object, which replaces an earlier one, and gives its size. Returns only when the storage has all of it: it was sent the sum
 * of what it got, and says that the object is as long as the file. Throws an ObjectFailure, or what the file system throws.
 */
export const uploadFile = async (
  s3: S3Access,
  place: ObjectPlace,
  path: string,
  signal: AbortSignal,
): Promise<number> => {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const before = await file.stat();
    if (!before.isFile()) throw new FileFailure(`${path} is no ordinary file`);
    if (before.size <= partBytes) await putWhole(s3, place, await readPart(file, 0, before.size), signal);
    else await uploadInParts(s3, place, { size: before.size, read: (at, most) => readPart(file, at, most) }, signal);
    const after = await file.stat();
    if (after.size !== before.size || after.mtimeMs !== before.mtimeMs)
      throw new FileFailure(`${path} was changed while it was uploaded`);
    await checkSize(s3, place, before.size, signal);
    return before.size;
  } finally {
    await file.close();
  }
};

const checkSize = async (
  { api, client }: S3Access,
  { bucket, key }: ObjectPlace,
  size: number,
  signal: AbortSignal,
): Promise<void> => {
  const input = { Bucket: bucket, Key: key };
  const { ContentLength: found } = await client.send(new api.HeadObjectCommand(input), {
    abortSignal: withinTime(signal, 0),
  });
  if (found !== size) throw new ObjectFailure(`the storage has ${found ?? 'an unknown number of'} bytes of ${size}`);
};

const readPart = async (file: FileHandle, at: number, length: number): Promise<Uint8Array> => {
  const part = Buffer.allocUnsafe(length);
  for (let read = 0; read < length;) {
    const { bytesRead } = await file.read(part, read, length - read, at + read);
    if (bytesRead === 0) throw new FileFailure('the file became shorter while it was uploaded');
    read += bytesRead;
  }
  return part;
};
