import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { OrcaError } from '../errors/orca-error.ts';
import { openStage, type StreamMask } from './keep-log.ts';
import { PlainLog } from './plain-log.ts';
import { StagedLog, stagedTailOffset } from './staged-log.ts';

export interface LogRequest {
  readonly file: string;
  /** Where the output is as long as it is not in the log, and what masks it then; null: nowhere. */
  readonly stage?: { readonly file: string; readonly open: () => Promise<StreamMask> } | null;
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
  /** It may end before all is read: whoever wants the rest asks again from where they are. */
  readonly more: boolean;
  readonly bytes: ReadableStream<Uint8Array>;
}

interface Source {
  readonly begin: number;
  /** It ends before what is gone of the log. */
  readonly stops: boolean;
  readonly stopped: () => boolean;
  readonly read: (last: boolean) => Promise<Uint8Array | null>;
  readonly close: () => Promise<void>;
}

/** A log's bytes as they are in the file, or as they will be. A file that is not there (yet) is an empty one. */
export const readLog = async (request: LogRequest): Promise<LogStream> => {
  let source = await openSource(request);
  const start = source?.begin ?? ('offset' in request.from ? request.from.offset : 0);
  let cancelled = false;
  let pulling = false;

  const next = async (): Promise<Uint8Array | null> => {
    for (;;) {
      // Asked before reading: what was written before the end is then surely read.
      const last = request.until === null || (await request.until());
      source ??= await openSource({ ...request, from: { offset: start } });
      const bytes = source === null ? null : await source.read(last);
      if (bytes !== null) return bytes;
      if (last || cancelled || source?.stopped() === true) return null;
      await request.pause();
    }
  };

  const close = async (): Promise<void> => {
    await source?.close();
    source = null;
  };
  return {
    offset: start,
    more: source?.stops ?? request.until !== null,
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

/** The stage first: as long as it is there, the log is not whole. */
const openSource = async ({ file, stage, from, until }: LogRequest): Promise<Source | null> => {
  const staged = stage == null ? null : await openStage(stage.file);
  if (stage != null && staged !== null) {
    const begin = 'offset' in from ? from.offset : await stagedTailOffset(staged, await stage.open(), from.tail);
    const log = new StagedLog(staged, await stage.open(), begin);
    return {
      begin,
      stops: until !== null,
      stopped: () => false,
      read: (last) => log.read(last),
      close: () => staged.close(),
    };
  }
  const opened = await openIfThere(file);
  if (opened === null) return null;
  const { log, begin, stops } = await PlainLog.open(file, opened, from, until !== null);
  return { begin, stops, stopped: () => log.stopped, read: () => log.read(), close: () => opened.close() };
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
