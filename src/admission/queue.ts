import type { RunId } from '../units/brands.ts';
import { order } from './order.ts';
import type { Waiting } from './types.ts';

/** The runs that wait, kept in order. */
export class Queue {
  readonly #sorted: Waiting[] = [];
  readonly #byRun = new Map<RunId, Waiting>();

  get size(): number {
    return this.#sorted.length;
  }

  add(entry: Waiting): void {
    this.remove(entry.run);
    this.#sorted.splice(this.#placeOf(entry), 0, entry);
    this.#byRun.set(entry.run, entry);
  }

  /** The entry that was there; null when there was none. */
  remove(run: RunId): Waiting | null {
    const entry = this.#byRun.get(run);
    if (entry === undefined) return null;
    this.#byRun.delete(run);
    this.#sorted.splice(this.#placeOf(entry), 1);
    return entry;
  }

  has(run: RunId): boolean {
    return this.#byRun.has(run);
  }

  [Symbol.iterator](): Iterator<Waiting> {
    return this.#sorted[Symbol.iterator]();
  }

  /** Those inside other runs: they stand first. */
  *nested(): Generator<Waiting> {
    for (const entry of this.#sorted) {
      if (entry.inside === null) return;
      yield entry;
    }
  }

  /** Where `entry` stands, or would. */
  #placeOf(entry: Waiting): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const there = this.#sorted[middle];
      if (there !== undefined && order(there, entry) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
