import { closeSync, constants, fstatSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { mostTimes, parseTimes, recordBytes, thinned, timeRecord, type LogTime } from './log-times.ts';

/** Beside the file that the command writes to; the log's bytes stay the program's own. */
export const timeFile = (log: string): string => `${log}.times`;

export const readTimes = async (log: string): Promise<LogTime[]> =>
  parseTimes(await readFile(timeFile(log), 'latin1').catch(() => ''));

export const readTimesNow = (log: string): LogTime[] => {
  try {
    return parseTimes(readFileSync(timeFile(log), 'latin1'));
  } catch {
    return [];
  }
};

/** Adds records, and thins out what is too many. Throws as the file system does; what it left of a record is written over next time. */
export const addTimes = (log: string, times: readonly LogTime[]): void => {
  const { O_WRONLY, O_CREAT, O_NOFOLLOW } = constants;
  const fd = openSync(timeFile(log), O_WRONLY | O_CREAT | O_NOFOLLOW, 0o600);
  let records: number;
  try {
    records = Math.floor(fstatSync(fd).size / recordBytes);
    writeSync(fd, times.map(timeRecord).join(''), records * recordBytes, 'latin1');
  } finally {
    closeSync(fd);
  }
  if (records + times.length > mostTimes) writeTimes(log, thinned(readTimesNow(log)));
};

export const writeTimes = (log: string, times: readonly LogTime[]): void => {
  const draft = `${timeFile(log)}.tmp`;
  writeFileSync(draft, times.map(timeRecord).join(''), { mode: 0o600 });
  renameSync(draft, timeFile(log));
};
