import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { until } from './until.ts';

/** Field 22 of its stat: what tells a process from a later one of the same pid. Null when there is none. */
export const startTime = (pid: number): number | null => Number(statFields(pid)?.[19] ?? NaN) || null;

export const parentOf = (pid: number): number | null => Number(statFields(pid)?.[1] ?? NaN) || null;

/** Whether it runs; a zombie does not. */
export const alive = (pid: number): boolean => {
  const state = statFields(pid)?.[0];
  return state !== undefined && state !== 'Z' && state !== 'X';
};

export const untilGone = (pid: number, what = `process ${pid}`): Promise<true> =>
  until(() => (alive(pid) ? null : true), `${what} is gone`);

/** SIGKILL to all of them within one turn, so that none of ours can act between two of them; resolves when they are gone. */
export const killHard = async (...pids: readonly (number | null)[]): Promise<void> => {
  const known = pids.filter((pid) => pid !== null);
  for (const pid of known) process.kill(pid, 'SIGKILL');
  await Promise.all(known.map((pid) => untilGone(pid)));
};

/** How many sockets a process has open: a client that has its connection has one more than its outputs. */
export const sockets = (pid: number): number =>
  namesIn(`/proc/${pid}/fd`).filter((fd) => linkOf(`/proc/${pid}/fd/${fd}`).startsWith('socket:')).length;

/** Processes whose command line holds these words and whose environment holds that entry. */
export const processesOf = (words: string, entry: string): number[] =>
  namesIn('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').includes(words))
    .filter((pid) => textOf(`/proc/${pid}/environ`).split('\0').includes(entry))
    .map(Number);

const statFields = (pid: number): string[] | null => {
  const stat = textOf(`/proc/${pid}/stat`);
  return stat === '' ? null : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
};

const orElse =
  <T>(read: (path: string) => T, otherwise: T) =>
  (path: string): T => {
    try {
      return read(path);
    } catch {
      return otherwise;
    }
  };
const textOf = orElse((file) => readFileSync(file, 'utf8'), '');
const namesIn = orElse((folder) => readdirSync(folder), [] as string[]);
const linkOf = orElse((link) => readlinkSync(link), '');
