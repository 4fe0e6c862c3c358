import type { ObjectStorage } from '../objects/object-storage.ts';
import type { MovedLog } from '../units/moved-log.ts';
import type { Gone } from './gone.ts';
import type { LogBytes } from './log-bytes.ts';
import { parseTimes, type LogTime } from './log-times.ts';
import { tailOffset } from './tail-offset.ts';

/** An object, and what is known of it. */
export interface LogObject {
  readonly storage: ObjectStorage;
  readonly key: string;
  readonly log: MovedLog;
}

export const timesKey = (log: string): string => `${log}.times`;

/** So much of an object is asked for at once; no more of it is in memory. */
const windowBytes = 4 * 1048576;
/** Files have other inodes. */
const inode = 0;

/** A log in an object storage. What is empty is no object there, and is not asked for. */
export const objectBytes = ({ storage, key, log }: LogObject): LogBytes => {
  const { bytes: size } = log;
  const gone: Gone | null = log.gone === null ? null : { ...log.gone, cut: { inode, line: log.gone.line } };
  const leaving = new AbortController();
  let held: { readonly at: number; readonly bytes: Uint8Array } | null = null;
  const fetch = async (begin: number, end: number): Promise<Uint8Array> => {
    held = { at: begin, bytes: await storage.read(key, begin, end, leaving.signal) };
    return held.bytes;
  };
  const read = async (at: number, most: number): Promise<Uint8Array> => {
    if (at >= size) return new Uint8Array();
    if (held === null || at < held.at || at >= held.at + held.bytes.length)
      await fetch(at, Math.min(size, at + windowBytes));
    return held === null ? new Uint8Array() : held.bytes.subarray(at - held.at, at - held.at + most);
  };
  return {
    inode,
    gone: () => Promise.resolve(gone),
    read,
    tail: (lines, floor) => tailOffset(fetch, { lines, floor, size }, windowBytes),
    close: async () => leaving.abort(),
  };
};

/** The times of a log that lies there. */
export const objectTimes = async ({ storage, key, log }: LogObject): Promise<LogTime[]> => {
  if (!log.times) return [];
  const signal = new AbortController().signal;
  const size = await storage.size(timesKey(key), signal);
  if (size === 0) return [];
  return parseTimes(Buffer.from(await storage.read(timesKey(key), 0, size, signal)).toString('latin1'));
};
