import { readFileSync } from 'node:fs';

/** `Pss` of a `smaps_rollup` file, in bytes; null without it. */
export const parsePss = (text: string): number | null => {
  const kb = /^Pss:[ \t]+(\d{1,15}) kB$/m.exec(text)?.[1];
  return kb === undefined ? null : Number(kb) * 1024;
};

/** A process's proportional memory in bytes; `gone` when it has ended, `unreadable` when it lives and may not be looked at. */
export const readPss = (procRoot: string, pid: number): number | 'gone' | 'unreadable' => {
  try {
    const text = readFileSync(`${procRoot}/${pid}/smaps_rollup`, 'utf8');
    // Empty: a zombie or a kernel thread, which has no memory of its own.
    return text === '' ? 'gone' : (parsePss(text) ?? 'unreadable');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return 'gone';
    return isThere(procRoot, pid) ? 'unreadable' : 'gone';
  }
};

const isThere = (procRoot: string, pid: number): boolean => {
  try {
    readFileSync(`${procRoot}/${pid}/stat`);
    return true;
  } catch {
    return false;
  }
};
