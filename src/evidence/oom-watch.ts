import { join } from 'node:path';
import { parseMemoryEvents, type OomCounts } from '../machine/memory-events.ts';
import { readText } from '../machine/read-text.ts';
import { markOom } from './mark-files.ts';

/** A cgroup's counts (seed 004). A count that is missing or no number is 0; null when there is no file to ask. */
export const readOomCounts = (cgroup: string): OomCounts | null => {
  const text = readText(join(cgroup, 'memory.events'));
  return text === null ? null : parseMemoryEvents(text);
};

/**
 * Whether the kernel killed something below this cgroup for memory since `before`: a rise of `oom_kill`, never its total.
 * `oom` alone proves nothing: a limit that was reached may have been answered by freeing. Nor does it name the victim.
 */
export const classifyOom = (cgroup: string, before: OomCounts): boolean => {
  const now = readOomCounts(cgroup);
  return now !== null && now.oomKill > before.oomKill;
};

/** Watches one start's counter. Made before the start, so that no count of an earlier one is taken for its own. */
export class OomWatch {
  readonly #cgroup: string | null;
  readonly #before: OomCounts | null;

  constructor(cgroup: string | null) {
    this.#cgroup = cgroup;
    this.#before = cgroup === null ? null : readOomCounts(cgroup);
  }

  /** Whether there was a counter to read; without one no kill for memory can be told from another. */
  get available(): boolean {
    return this.#before !== null;
  }

  /** Marks the folder when the count rose. May be asked again and again: the answer is the same. */
  record(folder: string): void {
    // A file that was not readable before may hold old kills: what it says later is no evidence (E11).
    if (this.#cgroup === null || this.#before === null) return;
    if (classifyOom(this.#cgroup, this.#before)) markOom(folder);
  }
}
