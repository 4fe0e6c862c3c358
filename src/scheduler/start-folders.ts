import { closeSync, constants, mkdirSync, openSync, readdirSync, renameSync, unlinkSync, writeSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { makeFolders } from '../machine/make-folders.ts';

const spareMost = 64;

/**
 * Gives start folders their names. A used folder is cleared, kept and renamed for a later start: on ext4 making and removing a folder cost
 * 0.2 and 2.7 ms on a busy disk, a rename 0.02; making a file where thousands were deleted lately 0.25 (2026-11-30).
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
    for (const folder of [starts, spares]) makeFolders(folder);
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
      for (const name of readdirSync(folder)) clear(folder, name);
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

/**
 * What a keeper leaves that the next one can have as room for its own records: it takes such drafts as it finds them (docs/keeper-protocol.md), and need
 * not make them. As large as it would, so that a disk which fills up keeps nothing from being recorded.
 */
const rooms: ReadonlyMap<string, { readonly draft: string; readonly size: number }> = new Map([
  ['begun', { draft: 'marks.tmp', size: 4096 }],
  ['pid', { draft: 'pid.tmp', size: 4096 }],
  ['exit', { draft: 'exit.tmp', size: 16_384 }],
]);

/** Throws where there is no room. */
const clear = (folder: string, name: string): void => {
  const path = join(folder, name);
  const room = rooms.get(name);
  if (room === undefined) return unlinkSync(path);
  const file = openSync(path, constants.O_WRONLY | constants.O_NOFOLLOW);
  try {
    const written = writeSync(file, Buffer.alloc(room.size));
    if (written < room.size) throw new Error(`${path}: no room`);
  } finally {
    closeSync(file);
  }
  renameSync(path, join(folder, room.draft));
};
