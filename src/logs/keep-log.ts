import { constants } from 'node:fs';
import { open, readFile, rename, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import type { LogTime } from './log-times.ts';
import { readTimes, timeFile, writeTimes } from './time-file.ts';

/** What masks a stream; `src/secrets/` has one. */
export interface StreamMask {
  readonly write: (chunk: Uint8Array) => Uint8Array;
  readonly end: () => Uint8Array;
}

export interface Keeping {
  /** What the start wrote. */
  readonly stage: string;
  readonly log: string;
  /** A mask of the same values gives the same bytes each time. */
  readonly open: () => StreamMask;
  /** Leaves a mark in the stage that the log is whole, for what is to follow; who has done that calls `dropNotes`. */
  readonly mark?: boolean;
}

export const keptFile = (stage: string): string => `${stage}.kept`;

const chunkSize = 65536;

/**
 * Appends a staged output to its log, masked, and removes it once the log is on disk. Throws where that fails, and keeps the stage. Asked again it goes on
 * where it was: how long the log was before the first byte is noted beside the log, masking gives the same bytes again, and as many as the log
 * has more are left out. Without a stage there is nothing to do. It needs no room in the stage, which may be full of what is to be taken from it.
 */
export const keepLog = async ({ stage, log, open: openMask, mark = false }: Keeping): Promise<void> => {
  const from = await openStage(stage);
  if (from === null) return dropNotes(stage, log);
  try {
    const to = await open(
      log,
      // A named pipe in its place is refused at once: opening it would wait for ever.
      constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK,
      0o600,
    );
    try {
      const there = await alreadyThere(to, { stage, log });
      const before = (await to.stat()).size - there;
      const times = await append(from, to, openMask(), { there, times: await readTimes(stage) });
      await to.datasync();
      if (times.length > 0)
        writeTimes(
          log,
          times.map(({ offset, ms }) => ({ offset: before + offset, ms })),
        );
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
  if (mark) await leaveMark(stage);
  else await rm(stage);
  await dropNotes(stage, log);
};

/** A name that the stage has no room for is that of the output itself, as long as it takes. */
const leaveMark = async (stage: string): Promise<void> => {
  try {
    await writeFile(keptFile(stage), '', { mode: 0o600 });
  } catch {
    return rename(stage, keptFile(stage));
  }
  await rm(stage);
};

/** What was noted while an output was on its way. */
export const dropNotes = async (stage: string, log: string): Promise<void> => {
  await rm(noteFile(log), { force: true });
  await rm(timeFile(stage), { force: true });
};

const noteFile = (log: string): string => `${log}.from`;

/** How much of the output the log has. */
const alreadyThere = async (to: FileHandle, { stage, log }: Pick<Keeping, 'stage' | 'log'>): Promise<number> => {
  const { size } = await to.stat();
  const before = await noteIn(log, stage);
  if (before !== null && size >= before) return size - before;
  // A log that is shorter than it was has lost something to somebody else: all of it is appended.
  const draft = `${noteFile(log)}.tmp`;
  await writeFile(draft, `${size} ${basename(stage)}\n`, { mode: 0o600 });
  await rename(draft, noteFile(log));
  return 0;
};

/** Null: nothing was noted of this output; a note of another one says nothing of it. */
const noteIn = async (log: string, stage: string): Promise<number | null> => {
  const text = await readFile(noteFile(log), 'utf8').catch(() => '');
  const [, size, name] = /^(\d+) (.+)\n$/.exec(text) ?? [];
  return size !== undefined && name === basename(stage) ? Number(size) : null;
};

/** Gives the times of the output as times of the masked text. */
const append = async (
  from: FileHandle,
  to: FileHandle,
  mask: StreamMask,
  { there, times }: { readonly there: number; readonly times: readonly LogTime[] },
): Promise<LogTime[]> => {
  const chunk = Buffer.allocUnsafe(chunkSize);
  const masked: LogTime[] = [];
  let missing = there;
  let read = 0;
  let passed = 0;
  const pass = async (bytes: Uint8Array): Promise<void> => {
    passed += bytes.length;
    const left = bytes.subarray(Math.min(missing, bytes.length));
    missing -= bytes.length - left.length;
    if (left.length > 0) await to.writeFile(left);
  };
  for (;;) {
    for (let next = times[masked.length]; next !== undefined && next.offset <= read; next = times[masked.length])
      masked.push({ offset: passed, ms: next.ms });
    const most = Math.min(chunkSize, (times[masked.length]?.offset ?? Infinity) - read);
    const { bytesRead } = await from.read(chunk, 0, most);
    if (bytesRead === 0) break;
    read += bytesRead;
    await pass(mask.write(chunk.subarray(0, bytesRead)));
  }
  await pass(mask.end());
  return masked;
};

/** A file of ours; whatever else has its name is refused. */
export const openStage = async (stage: string): Promise<FileHandle | null> => {
  let file: FileHandle;
  try {
    file = await open(stage, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    // Where the folder is another user's, nothing of ours is in it: it was refused.
    if (error instanceof Error && 'code' in error && notThere.has(String(error.code))) return null;
    throw error;
  }
  const stat = await file.stat();
  if (stat.isFile() && (process.getuid === undefined || stat.uid === process.getuid())) return file;
  await file.close();
  throw new Error(`${stage} is no file of ours`);
};

const notThere: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EACCES']);
