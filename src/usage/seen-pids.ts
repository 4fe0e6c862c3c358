/** So many are kept of one start, those that were seen last. */
const kept = 1024;

/** The pids that a start's tree was seen to have, and when each was seen last: who was killed is known only by its pid. */
export class SeenPids {
  readonly #last = new Map<number, number>();

  note(pids: readonly number[], atUs: number): void {
    for (const pid of pids) {
      this.#last.delete(pid);
      this.#last.set(pid, atUs);
    }
    for (const pid of this.#last.keys()) {
      if (this.#last.size <= kept) break;
      this.#last.delete(pid);
    }
  }

  /** Null: never, or too many others since. */
  lastSeenUs(pid: number): number | null {
    return this.#last.get(pid) ?? null;
  }
}
