import { readdirSync, readFileSync } from 'node:fs';

const read = (path: string): string | null => {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null;
  }
};

export interface Process {
  readonly pid: number;
  readonly state: string;
  readonly parent: number;
  readonly start: number;
}

export const processOf = (pid: number): Process | null => {
  const text = read(`/proc/${pid}/stat`);
  if (text === null) return null;
  const rest = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { pid, state: rest[0] ?? '', parent: Number(rest[1]), start: Number(rest[19]) };
};

/** Alive: there, and no zombie. */
export const isAlive = (pid: number): boolean => {
  const process = processOf(pid);
  return process !== null && process.state !== 'Z' && process.state !== 'X';
};

const pids = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

/** Living processes whose environment holds the entry. */
export const withEnv = (entry: string): number[] =>
  pids().filter((pid) => (read(`/proc/${pid}/environ`) ?? '').split('\0').includes(entry) && isAlive(pid));

export const commandOf = (pid: number): string => (read(`/proc/${pid}/cmdline`) ?? '').replaceAll('\0', ' ').trimEnd();
