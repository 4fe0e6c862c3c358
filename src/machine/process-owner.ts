import { readText } from './read-text.ts';

/** The user that a process runs as (the real one), from `/proc/<pid>/status`; null when it says nothing of it. */
export const parseUid = (status: string): number | null => {
  const uid = /^Uid:\s+(\d{1,10})\b/m.exec(status)?.[1];
  return uid === undefined ? null : Number(uid);
};

export const readUid = (procRoot: string, pid: number): number | null =>
  parseUid(readText(`${procRoot}/${pid}/status`) ?? '');

/** What a process calls itself, at most 15 bytes (`/proc/<pid>/comm`); empty when there is no such process. */
export const readComm = (procRoot: string, pid: number): string =>
  (readText(`${procRoot}/${pid}/comm`) ?? '').replace(/\n$/, '');
