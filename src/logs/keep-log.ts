import { randomUUID } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { link, open, readFile, rename, rm, writeFile, type FileHandle } from 'node:fs/promises';
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
 * has more are left out. Several at once, in whatever processes, write the same bytes to the same places. Without a stage there is nothing to do. It needs no
 * room in the stage, which may be full of what is to be taken from it.
 */
export const keepLog = async ({ stage, log, open: openMask, mark = false }: Keeping): Promise<void> => {
  const from = await openStage(stage);
  if (from === null) return dropNotes(stage, log);
  try {
    const to = await open(
      log,
      // A named pipe in its place is refused at once: opening it would wait for ever.
      constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK,
      0o600,
    );
    try {
      const before = await beginOf(to, { stage, log });
      if (before === null) return await dropNotes(stage, log);
      const there = (await to.stat()).size - before;
      const times = await append(from, to, openMask(), { before, there, times: await readTimes(stage) });
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
  else await rm(stage, { force: true });
  await dropNotes(stage, log);
};

/** A name that the stage has no room for is that of the output itself, as long as it takes. */
const leaveMark = async (stage: string): Promise<void> => {
  try {
    await writeFile(keptFile(stage), '', { mode: 0o600 });
  } catch {
    return rename(stage, keptFile(stage));
  }
  await rm(stage, { force: true });
};

/** What was noted while an output was on its way. */
export const dropNotes = async (stage: string, log: string): Promise<void> => {
  await rm(noteFile(log), { force: true });
  await rm(timeFile(stage), { force: true });
};

const noteFile = (log: string): string => `${log}.from`;

/** Where the output begins in the log: whoever is first notes it. Null: another one has taken all of it in meanwhile. */
const beginOf = async (to: FileHandle, { stage, log }: Pick<Keeping, 'stage' | 'log'>): Promise<number | null> => {
  const { size } = await to.stat();
  const known = await readNote(log);
  // A note of another output says nothing of this one; a log that is shorter than it was has lost something to somebody else: all of it is appended.
  if (known?.name === basename(stage) && known.size <= size) return known.size;
  const draft = `${noteFile(log)}.${randomUUID()}.tmp`;
  await writeFile(draft, `${size} ${basename(stage)}\n`, { mode: 0o600 });
  try {
    await (known === null ? linkNew(draft, noteFile(log)) : rename(draft, noteFile(log)));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return await beginOf(to, { stage, log });
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
  // Whoever had noted it before removed the stage first, and the note then.
  return existsSync(stage) ? size : null;
};

/** Throws EEXIST where there is such a file; a file system without hard links cannot tell. */
const linkNew = async (draft: string, name: string): Promise<void> => {
  try {
    await link(draft, name);
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['EPERM', 'ENOTSUP', 'ENOSYS'].includes(String(error.code)))
      return rename(draft, name);
    throw error;
  }
};

const readNote = async (log: string): Promise<{ readonly size: number; readonly name: string } | null> => {
  const text = await readFile(noteFile(log), 'utf8').catch(() => null);
  if (text === null) return null;
  const [, size = '0', name = ''] = /^(\d+) (.+)\n$/.exec(text) ?? [];
  return { size: Number(size), name };
};

/** Gives the times of the output as times of the masked text. */
const append = async (
  from: FileHandle,
  to: FileHandle,
  mask: StreamMask,
  { before, there, times }: { readonly before: number; readonly there: number; readonly times: readonly LogTime[] },
): Promise<LogTime[]> => {
  const chunk = Buffer.allocUnsafe(chunkSize);
  const masked: LogTime[] = [];
  let missing = there;
  let read = 0;
  let passed = 0;
  const pass = async (bytes: Uint8Array): Promise<void> => {
    const left = bytes.subarray(Math.min(missing, bytes.length));
    missing -= bytes.length - left.length;
    passed += bytes.length;
    for (let written = 0; written < left.length;) {
      const rest = left.length - written;
      written += (await to.write(left, written, rest, before + passed - rest)).bytesWritten;
    }
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
