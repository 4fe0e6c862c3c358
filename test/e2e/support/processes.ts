import { existsSync, readFileSync } from 'node:fs';

/** Whether a process is there that is not merely a zombie. */
export const isAlive = (pid: number): boolean => {
  try {
    return !/^State:\s*[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

/** The pids that a script wrote into a file, once there are `count`; null before. */
export const pidsIn = (file: string, count: number): readonly number[] | null => {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
  return lines.length >= count ? lines.map(Number) : null;
};
