import { readText } from './read-text.ts';

/** `/proc/meminfo` in bytes, by name (seed 001). Lines that are no size are left out. */
export const parseMeminfo = (text: string): ReadonlyMap<string, number> => {
  const sizes = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [, name, kb] = /^([^:\s]+):\s+(\d{1,12}) kB\s*$/.exec(line) ?? [];
    if (name !== undefined && kb !== undefined && !sizes.has(name)) sizes.set(name, Number(kb) * 1024);
  }
  return sizes;
};

/** Empty where there is no such file. */
export const readMeminfo = (procRoot: string): ReadonlyMap<string, number> =>
  parseMeminfo(readText(`${procRoot}/meminfo`) ?? '');
