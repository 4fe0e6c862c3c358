import { constants } from 'node:fs';
import { open, readFile, rename, rm, writeFile, type FileHandle } from 'node:fs/promises';

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
}

const chunkSize = 65536;

/**
 * Appends a staged output to its log, masked, and removes it once the log is on disk. Throws where that fails, and keeps the stage. Asked again it goes on
 * where it was: how long the log was before the first byte is noted beside the stage, masking gives the same bytes again, and as many as the log
 * has more are left out. Without a stage there is nothing to do.
 */
export const keepLog = async ({ stage, log, open: openMask }: Keeping): Promise<void> => {
  const note = `${stage}.from`;
  const from = await openStage(stage);
  if (from === null) return rm(note, { force: true });
  try {
    const to = await open(
      log,
      constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW,
      0o600,
    );
    try {
      await append(from, to, openMask(), await alreadyThere(to, note));
      await to.datasync();
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
  await rm(stage);
  await rm(note, { force: true });
};

/** How much of the output the log has. */
const alreadyThere = async (log: FileHandle, note: string): Promise<number> => {
  const { size } = await log.stat();
  const before = await noteIn(note);
  if (before !== null && size >= before) return size - before;
  // A log that is shorter than it was has lost something to somebody else: all of it is appended.
  await writeFile(`${note}.tmp`, `${size}\n`, { mode: 0o600 });
  await rename(`${note}.tmp`, note);
  return 0;
};

const noteIn = async (file: string): Promise<number | null> => {
  const text = await readFile(file, 'utf8').catch(() => '');
  return /^\d+\n$/.test(text) ? Number(text) : null;
};

const append = async (from: FileHandle, to: FileHandle, mask: StreamMask, there: number): Promise<void> => {
  const chunk = Buffer.allocUnsafe(chunkSize);
  let missing = there;
  const pass = async (bytes: Uint8Array): Promise<void> => {
    const left = bytes.subarray(Math.min(missing, bytes.length));
    missing -= bytes.length - left.length;
    if (left.length > 0) await to.writeFile(left);
  };
  for (;;) {
    const { bytesRead } = await from.read(chunk, 0, chunkSize);
    if (bytesRead === 0) break;
    await pass(mask.write(chunk.subarray(0, bytesRead)));
  }
  await pass(mask.end());
};

/** A file of ours; whatever else has its name is refused. */
export const openStage = async (stage: string): Promise<FileHandle | null> => {
  let file: FileHandle;
  try {
    file = await open(stage, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
  const stat = await file.stat();
  if (stat.isFile() && (process.getuid === undefined || stat.uid === process.getuid())) return file;
  await file.close();
  throw new Error(`${stage} is no file of ours`);
};
