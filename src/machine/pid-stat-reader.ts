import { closeSync, openSync, readSync } from 'node:fs';
import { parseStatBytes, type PidStat } from './pid-stat.ts';
import { pidNames } from './read-pid-stats.ts';

/** How many files stay open: far below the 1,024 that a process may have at least. */
const openMost = 512;

/**
 * Reads every process's stat line again and again, as `readPidStats` does once. The files of the first few hundred processes stay open, since opening costs
 * as much as reading. An open file belongs to its process for good: another one that gets the pid is not read through it.
 */
export class PidStatReader implements Disposable {
  readonly #procRoot: string;
  readonly #open = new Map<string, { fd: number; pass: number }>();
  readonly #buffer = Buffer.allocUnsafe(4096);
  #pass = 0;

  constructor(procRoot: string) {
    this.#procRoot = procRoot;
  }

  read(): PidStat[] {
    this.#pass += 1;
    const stats: PidStat[] = [];
    for (const name of pidNames(this.#procRoot)) {
      const stat = this.#readAgain(name) ?? this.#readFirst(name);
      if (stat !== null) stats.push(stat);
    }
    for (const [name, { pass }] of this.#open) if (pass !== this.#pass) this.#close(name);
    return stats;
  }

  [Symbol.dispose](): void {
    for (const name of this.#open.keys()) this.#close(name);
  }

  #readAgain(name: string): PidStat | null {
    const file = this.#open.get(name);
    if (file === undefined) return null;
    file.pass = this.#pass;
    const stat = this.#statOf(file.fd);
    // It has ended; one that is new may have its pid.
    if (stat === null) this.#close(name);
    return stat;
  }

  #readFirst(name: string): PidStat | null {
    const fd = openOrNull(`${this.#procRoot}/${name}/stat`);
    if (fd === null) return null;
    const stat = this.#statOf(fd);
    if (stat !== null && this.#open.size < openMost) this.#open.set(name, { fd, pass: this.#pass });
    else closeSync(fd);
    return stat;
  }

  #statOf(fd: number): PidStat | null {
    try {
      return parseStatBytes(this.#buffer, readSync(fd, this.#buffer, 0, this.#buffer.length, 0));
    } catch {
      return null;
    }
  }

  #close(name: string): void {
    const file = this.#open.get(name);
    this.#open.delete(name);
    if (file !== undefined) closeSync(file.fd);
  }
}

const openOrNull = (file: string): number | null => {
  try {
    return openSync(file, 'r');
  } catch {
    return null;
  }
};
