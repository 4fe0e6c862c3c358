import { constants } from 'node:fs';
import { open, rename, rm, stat, writeFile, type FileHandle } from 'node:fs/promises';
import { goneFile, goneLine, goneText, readGone, type Gone } from './gone.ts';

/** A longer line is cut through. */
const longestLine = 65536;
/** More than the line that says what is gone. */
const lineRoom = 256;
const newline = 10;

/**
 * Cuts a log that is over its cap, once nobody writes to it any more: its first quarter, a line that says what is gone, and its newest part, in a file of its own
 * that takes the log's name. A log in which the keeper has punched a hole becomes a plain file again. `max`: in bytes; 0: no cap.
 */
export const cutLog = async (log: string, max: number): Promise<void> => {
  const known = await readGone(log);
  const found = await stat(log).catch(() => null);
  if (found === null || !found.isFile() || (known !== null && known.cut?.inode === found.ino)) return;
  if (max === 0 || (known === null && found.size <= max)) return;
  const from = await open(log, constants.O_RDONLY | constants.O_NOFOLLOW);
  const draft = `${log}.cut`;
  await rm(draft, { force: true });
  const to = await open(draft, 'wx', 0o600);
  try {
    const gone = await whatGoes(from, found.size, max, known);
    await copy(from, to, 0, gone.from);
    const line = goneLine(gone);
    await to.writeFile(line);
    await copy(from, to, gone.to, found.size);
    // Whoever opens either file knows by its inode which of the two it is.
    const cut = { inode: (await to.stat()).ino, line: line.length };
    await writeFile(`${goneFile(log)}.tmp`, goneText({ ...gone, cut }), { mode: 0o600 });
    await rename(`${goneFile(log)}.tmp`, goneFile(log));
    await rename(draft, log);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    await from.close();
    await to.close();
  }
};

const whatGoes = async (log: FileHandle, size: number, max: number, known: Gone | null): Promise<Gone> => {
  const head = known?.from ?? (await lineEndBefore(log, Math.floor(max / 4)));
  const least = Math.max(known?.to ?? 0, head, size - (max - Math.floor(max / 4) - lineRoom));
  return { from: head, to: least === known?.to ? least : await lineBeginAfter(log, least), cut: null };
};

const lineEndBefore = async (log: FileHandle, end: number): Promise<number> => {
  const begin = Math.max(0, end - longestLine);
  const { bytesRead, buffer } = await log.read(Buffer.alloc(end - begin), 0, end - begin, begin);
  const at = buffer.subarray(0, bytesRead).lastIndexOf(newline);
  return at < 0 ? end : begin + at + 1;
};

const lineBeginAfter = async (log: FileHandle, begin: number): Promise<number> => {
  const { bytesRead, buffer } = await log.read(Buffer.alloc(longestLine), 0, longestLine, begin);
  const at = buffer.subarray(0, bytesRead).indexOf(newline);
  return at < 0 ? begin : begin + at + 1;
};

const copy = async (from: FileHandle, to: FileHandle, begin: number, end: number): Promise<void> => {
  const chunk = Buffer.allocUnsafe(1 << 20);
  for (let at = begin; at < end;) {
    const { bytesRead } = await from.read(chunk, 0, Math.min(chunk.length, end - at), at);
    if (bytesRead === 0) return;
    await to.writeFile(chunk.subarray(0, bytesRead));
    at += bytesRead;
  }
};
