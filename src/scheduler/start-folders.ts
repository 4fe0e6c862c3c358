import { mkdirSync, readdirSync, renameSync, unlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';

const spareMost = 64;

/**
 * Gives start folders their names. An emptied folder is kept and renamed for a later start: on ext4 making and removing a folder cost
 * 0.2 and 2.7 ms on a busy disk, a rename 0.02 (2026-11-30).
 */
export class StartFolders {
  readonly #starts: string;
  readonly #spares: string;
  /** Names that are there. Whoever holds the state folder's lock is the only one that makes or removes any. */
  readonly #taken: Set<string>;
  readonly #free: string[] = [];
  #made = 0;

  /** `spares`: a folder of our own on the same file system; what an earlier daemon left in either is taken over. */
  constructor(starts: string, spares: string) {
    this.#starts = starts;
    this.#spares = spares;
    for (const folder of [starts, spares]) mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#taken = new Set(readdirSync(starts));
    for (const name of readdirSync(spares)) {
      this.#free.push(name);
      this.#made = Math.max(this.#made, Number(name) || 0);
    }
  }

  /** Makes the folder of a start and gives its path; null when there is one of that name already. */
  make(run: number, start: number): string | null {
    const name = `${run}.${start}`;
    if (this.#taken.has(name)) return null;
    const folder = join(this.#starts, name);
    if (!this.#reuse(folder)) mkdirSync(folder, { mode: 0o700 });
    this.#taken.add(name);
    return folder;
  }

  #reuse(folder: string): boolean {
    const spare = this.#free.pop();
    if (spare === undefined) return false;
    try {
      renameSync(join(this.#spares, spare), folder);
      return true;
    } catch {
      // Somebody deleted it.
      return false;
    }
  }

  /** Takes back the folder of a start whose keeper has ended in good order, so that nobody else writes there any more. */
  recycle(folder: string): void {
    if (this.#free.length >= spareMost) return this.remove(folder);
    try {
      for (const name of readdirSync(folder)) unlinkSync(join(folder, name));
      this.#made += 1;
      renameSync(folder, join(this.#spares, String(this.#made)));
      this.#free.push(String(this.#made));
      this.#taken.delete(basename(folder));
    } catch {
      // Something unexpected lies in it.
      this.remove(folder);
    }
  }

  /** Removes a folder for good. One that cannot be removed keeps its name. */
  remove(folder: string): void {
    rm(folder, { recursive: true, force: true }).then(
      () => this.#taken.delete(basename(folder)),
      () => {},
    );
  }
}
