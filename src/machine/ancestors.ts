import { readText } from './read-text.ts';

/** A process that another one descends from. */
export interface Ancestor {
  readonly pid: number;
  /** What it is called, at most 15 characters; it may hold any. */
  readonly name: string;
  /** The number of the terminal that controls it (proc_pid_stat(5): tty_nr); 0: none. */
  readonly terminal: number;
}

/** No tree of processes is deeper. */
const deepest = 1000;

/** The parent of a process, its parent, and so on, as far as they may be looked at. */
export const ancestorsOf = (procRoot: string, pid: number): Ancestor[] => {
  const found: Ancestor[] = [];
  let at = lineOf(procRoot, pid)?.parent ?? 0;
  while (at > 0 && found.length < deepest) {
    const line = lineOf(procRoot, at);
    if (line === null) break;
    found.push({ pid: at, name: line.name, terminal: line.terminal });
    at = line.parent;
  }
  return found;
};

const lineOf = (procRoot: string, pid: number): { name: string; parent: number; terminal: number } | null => {
  const text = readText(`${procRoot}/${pid}/stat`) ?? '';
  // The name may hold parentheses and spaces; the last `)` ends it. Then state, parent, group, session, terminal.
  const [, name, parent, terminal] = /^\d+ \((.*)\) \S (-?\d+) -?\d+ -?\d+ (-?\d+) /s.exec(text) ?? [];
  if (name === undefined || parent === undefined || terminal === undefined) return null;
  return { name, parent: Number(parent), terminal: Number(terminal) };
};

/** `pts/3`, `tty1`, as the kernel numbers them (Documentation/admin-guide/devices.txt). */
export const terminalName = (terminal: number): string => {
  const major = (terminal >>> 8) & 0xfff;
  const minor = (terminal & 0xff) | ((terminal >>> 12) & 0xfff00);
  if (major >= 136 && major <= 143) return `pts/${(major - 136) * 256 + minor}`;
  if (major === 4) return minor < 64 ? `tty${minor}` : `ttyS${minor - 64}`;
  return `terminal ${major}:${minor}`;
};
