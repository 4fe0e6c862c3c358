import { existsSync, readFileSync } from 'node:fs';

/** The pids that a script wrote into a file, a line each, once there are `count`; null before. */
export const pidsIn = (file: string, count: number): readonly number[] | null => {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
  return lines.length >= count ? lines.map(Number) : null;
};
