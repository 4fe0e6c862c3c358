import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { OrcaError } from '../errors/orca-error.ts';
import { tailOffset } from './tail-offset.ts';

export interface LogRequest {
  readonly file: string;
  /** Where to begin, in bytes; or the last so many lines. */
  readonly from: { readonly offset: number } | { readonly tail: number };
  /** Goes on until this says that nothing more will be written; null reads what is there. */
  readonly until: (() => Promise<boolean>) | null;
  /** Waits before the file is looked at again. */
  readonly pause: () => Promise<void>;
}

export interface LogStream {
  /** Where the bytes begin in the file. */
  readonly offset: number;
  readonly bytes: ReadableStream<Uint8Array>;
}

const chunkSize = 65536;

/** A log's bytes as they are in the file. A file that is not there (yet) is an empty one. */
export const readLog = async (request: LogRequest): Promise<LogStream> => {
  let file = await openIfThere(request.file);
  const start =
    'offset' in request.from ? request.from.offset : file === null ? 0 : tailOffset(file.fd, request.from.tail);
  let at = start;
  let cancelled = false;
  let pulling = false;

  const next = async (): Promise<Uint8Array | null> => {
    for (;;) {
      // Asked before reading: what was written before the end is then surely read.
      const last = request.until === null || (await request.until());
      file ??= await openIfThere(request.file);
      if (file !== null) {
        const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(chunkSize), 0, chunkSize, at);
        at += bytesRead;
        if (bytesRead > 0) return buffer.subarray(0, bytesRead);
      }
      if (last || cancelled) return null;
      await request.pause();
    }
  };

  const close = async (): Promise<void> => {
    await file?.close();
    file = null;
  };
  return {
    offset: start,
    bytes: new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          pulling = true;
          const chunk = await next();
          pulling = false;
          if (chunk !== null && !cancelled) {
            controller.enqueue(chunk);
            return;
          }
          if (!cancelled) controller.close();
          await close();
        },
        cancel: async () => {
          cancelled = true;
          if (!pulling) await close();
        },
      },
      { highWaterMark: 0 },
    ),
  };
};

const openIfThere = async (path: string): Promise<FileHandle | null> => {
  let file: FileHandle;
  try {
    // Somebody may have put a named pipe in its place, whose opening would wait for ever and keep others from the disk.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new OrcaError('log-no-file', { path });
};
