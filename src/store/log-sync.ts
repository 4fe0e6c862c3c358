/** Makes many waiters share one `fdatasync`. */
export class LogSync {
  readonly #toDisk: () => Promise<void>;
  #current: Promise<void> = Promise.resolve();
  #next: Promise<void> | null = null;

  constructor(toDisk: () => Promise<void>) {
    this.#toDisk = toDisk;
  }

  /** Resolves after a sync that began after this call: one that is under way may have begun before the caller's commit. */
  sync(): Promise<void> {
    this.#next ??= this.#current.then(() => {
      this.#next = null;
      const run = this.#toDisk();
      this.#current = run.catch(() => {});
      return run;
    });
    return this.#next;
  }
}
