import { constants, existsSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { OrcaError } from '../errors/orca-error.ts';
import { openStage, type StreamMask } from './keep-log.ts';
import { fileBytes, LogMoved, type LogBytes } from './log-bytes.ts';
import { placeSince, type LogTime, type Since } from './log-times.ts';
import { objectBytes, objectTimes, type LogObject } from './object-log.ts';
import { PlainLog } from './plain-log.ts';
import { maskedOffset, StagedLog, stagedTailOffset } from './staged-log.ts';
import { readTimes } from './time-file.ts';

export interface LogRequest {
  readonly file: string;
  /** Where the output is as long as it is not in the log, and what masks it then; null: nowhere. */
  readonly stage?: {
    readonly file: string;
    readonly open: () => Promise<StreamMask>;
    /** Nothing more is written to it: what may be the beginning of a value is none. */
    readonly whole: boolean;
  } | null;
  /** Where it is once its file is gone because all of it lies in an object storage; null: nowhere. */
  readonly object?: () => Promise<LogObject | null>;
  /** Where to begin, in bytes; or the last so many lines; or what was written since a moment. */
  readonly from: From | { readonly since: Since };
  /** Goes on until this says that nothing more will be written; null reads what is there. */
  readonly until: (() => Promise<boolean>) | null;
  /** Waits before the file is looked at again. */
  readonly pause: () => Promise<void>;
}

type From = { readonly offset: number } | { readonly tail: number };

export interface LogStream {
  /** Where the bytes begin in the file. */
  readonly offset: number;
  /** All of them were written after this moment (epoch ms); null where they were not asked for by time, or there are none. */
  readonly after: number | null;
  /** It may end before all is read: whoever wants the rest asks again from where they are. */
  readonly more: boolean;
  readonly bytes: ReadableStream<Uint8Array>;
}

interface Source {
  readonly begin: number;
  readonly after: number | null;
  /** It ends before what is gone of the log. */
  readonly stops: boolean;
  readonly stopped: () => boolean;
  readonly read: (last: boolean) => Promise<Uint8Array | null>;
  readonly close: () => Promise<void>;
}

/**
 * A log's bytes as they are in the file, or as they will be. A file that is not there (yet) is an empty one. The bytes break off where a log that is over its
 * cap is moved meanwhile: who asks again from there gets the rest.
 */
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
    after: source?.after ?? null,
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
const openSource = async (request: LogRequest): Promise<Source | null> => {
  const { file, object, from, until } = request;
  const staged = await openStaged(request);
  if (staged !== null) return staged;
  const opened = await openIfThere(file);
  if (opened !== null) {
    const bytes = await fileBytes(file, opened, async () => (await object?.())?.log.gone != null);
    try {
      return await plainSource(bytes, await placeOf(from, () => readTimes(file)), until);
    } catch (error) {
      await bytes.close();
      if (!(error instanceof LogMoved)) throw error;
    }
  }
  const moved = (await object?.()) ?? null;
  if (moved === null) return null;
  return begun(await plainSource(objectBytes(moved), await placeOf(from, () => objectTimes(moved)), until));
};

const openStaged = async ({ stage, from, until }: LogRequest): Promise<Source | null> => {
  const staged = stage == null ? null : await openStage(stage.file);
  if (stage == null || staged === null) return null;
  try {
    const { place, after } = await placeOf(from, () => readTimes(stage.file));
    const begin = await stagedBegin(staged, stage.open, place, 'since' in from);
    const log = new StagedLog(staged, await stage.open(), begin);
    return {
      begin,
      after,
      stops: until !== null,
      stopped: () => false,
      read: (last) => log.read(last && (until !== null || stage.whole)),
      close: () => staged.close(),
    };
  } catch (error) {
    await staged.close();
    // It got into its log meanwhile, and nobody has what masked it any more.
    if (!existsSync(stage.file)) return null;
    throw error;
  }
};

/** With its first bytes: an object that cannot be read is known before an answer begins. */
const begun = async (source: Source): Promise<Source> => {
  let first: { readonly bytes: Uint8Array | null } | null = { bytes: await source.read(true) };
  const read = async (last: boolean): Promise<Uint8Array | null> => {
    if (first === null) return source.read(last);
    const { bytes } = first;
    first = null;
    return bytes;
  };
  return { ...source, read };
};

interface Place {
  readonly place: From;
  readonly after: number | null;
}

const plainSource = async (bytes: LogBytes, { place, after }: Place, until: LogRequest['until']): Promise<Source> => {
  const { log, begin, stops } = await PlainLog.open(bytes, place, until !== null);
  return { begin, after, stops, stopped: () => log.stopped, read: () => log.read(), close: bytes.close };
};

/** What was written since a moment begins at an offset of what the command wrote, or is nothing. */
const placeOf = async (from: LogRequest['from'], times: () => Promise<readonly LogTime[]>): Promise<Place> => {
  if (!('since' in from)) return { place: from, after: null };
  const found = placeSince(await times(), from.since);
  return found === null ? { place: { tail: 0 }, after: null } : { place: { offset: found.offset }, after: found.ms };
};

const stagedBegin = async (
  staged: FileHandle,
  openMask: () => Promise<StreamMask>,
  place: From,
  asWritten: boolean,
): Promise<number> => {
  if ('tail' in place) return stagedTailOffset(staged, await openMask(), place.tail);
  return asWritten ? maskedOffset(staged, await openMask(), place.offset) : place.offset;
};

const openIfThere = async (path: string): Promise<FileHandle | null> => {
  let file: FileHandle;
  try {
    // Somebody may have put a named pipe in its place, whose opening would wait for ever and keep others from the disk.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new OrcaError(
      'file-unreadable',
      { path, why: error instanceof Error ? error.message : String(error) },
      error,
    );
  }
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new OrcaError('log-no-file', { path });
};
