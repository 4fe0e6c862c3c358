import { millis, type Millis } from '../units/brands.ts';

export interface Timers {
  set(after: Millis, then: () => void): () => void;
}

/**
 * Patience is waited out in parts: a daemon that was stopped or too busy for longer loses one part, then hears who has called meanwhile,
 * before it takes anybody for gone.
 */
const parts = 4;

/**
 * Which clients that own runs are there. A client is there while it holds a wait open; when the last one has closed, its runs are stopped
 * after a while, unless it comes back or lets them go.
 */
export class Owners {
  readonly #timers: Timers;
  readonly #gone: (owner: string) => void;
  readonly #present = new Map<string, number>();
  readonly #leaving = new Map<string, () => void>();

  constructor(timers: Timers, gone: (owner: string) => void) {
    this.#timers = timers;
    this.#gone = gone;
  }

  /** A client opened a wait; the answer closes it, after which it has `patience` to come back. */
  enter(owner: string, patience: Millis): () => void {
    this.#leaving.get(owner)?.();
    this.#leaving.delete(owner);
    this.#present.set(owner, (this.#present.get(owner) ?? 0) + 1);
    let inside = true;
    return () => {
      if (!inside) return;
      inside = false;
      const others = (this.#present.get(owner) ?? 1) - 1;
      if (others > 0) {
        this.#present.set(owner, others);
        return;
      }
      this.#present.delete(owner);
      this.expect(owner, patience);
    };
  }

  /** The owner should come within `patience`: it just submitted, or the daemon was started again. */
  expect(owner: string, patience: Millis): void {
    if (this.#present.has(owner) || this.#leaving.has(owner)) return;
    this.#waitOut(owner, millis(patience / parts), parts);
  }

  #waitOut(owner: string, part: Millis, left: number): void {
    const cancel = this.#timers.set(part, () => {
      if (left > 1) return this.#waitOut(owner, part, left - 1);
      this.#leaving.delete(owner);
      this.#gone(owner);
    });
    this.#leaving.set(owner, cancel);
  }

  /** Its runs are over or were let go. */
  forget(owner: string): void {
    this.#leaving.get(owner)?.();
    this.#leaving.delete(owner);
  }
}
