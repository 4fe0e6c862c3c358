/** The passes over `/proc` may take this share of a core at most: with thousands of processes they get further apart. */
const shareOfACore = 0.05;
/** So many passes in a row have to be dear, or cheap again, before it is worth a word: one may be so by chance. */
const inARow = 4;
/** Slower than asked for by less than this is not worth one. */
const worthAWord = 1.5;

/** How far apart the passes are, and whether that is further than was asked for. */
export class PassPace {
  /** Milliseconds from the last pass to the next; null before the first one. */
  intervalMs: number | null = null;
  /** Passes have been slower for a while than asked for. */
  slowed = false;
  #others = 0;
  #cpuMsBefore = 0;

  /** The time to the next pass, in milliseconds, after one that took so much CPU; and whether `slowed` has just changed. */
  next(cpuMs: number, wantedMs: number): { readonly afterMs: number; readonly changed: boolean } {
    // The first pass of a process costs many times what the others do, and any may by chance: only two in a row count.
    const afterMs = Math.max(wantedMs, Math.min(cpuMs, this.#cpuMsBefore) / shareOfACore);
    this.#cpuMsBefore = cpuMs;
    this.intervalMs = afterMs;
    this.#others = afterMs > wantedMs * worthAWord === this.slowed ? 0 : this.#others + 1;
    const changed = this.#others >= inARow;
    if (changed) [this.slowed, this.#others] = [!this.slowed, 0];
    return { afterMs, changed };
  }
}
