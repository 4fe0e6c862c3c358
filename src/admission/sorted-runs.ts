import type { RunId } from '../units/brands.ts';

/** What has a run's number, in the order of the numbers. Mostly added at the end and taken from the front, which costs nothing. */
export class SortedRuns<T extends { readonly run: RunId }> {
  #items: T[] = [];
  /** Those before it were taken. */
  #start = 0;

  get size(): number {
    return this.#items.length - this.#start;
  }

  get first(): T | null {
    return this.at(0);
  }

  at(index: number): T | null {
    return this.#items[this.#start + index] ?? null;
  }

  add(item: T): void {
    const last = this.#items.at(-1);
    if (last === undefined || last.run < item.run) this.#items.push(item);
    else this.#items.splice(this.#start + this.before(item.run), 0, item);
  }

  remove(run: RunId): void {
    const index = this.#start + this.before(run);
    if (this.#items[index]?.run !== run) return;
    if (index > this.#start) this.#items.splice(index, 1);
    else this.#dropFirst();
  }

  /** How many have a smaller number. */
  before(run: RunId): number {
    let low = this.#start;
    let high = this.#items.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const there = this.#items[middle];
      if (there !== undefined && there.run < run) low = middle + 1;
      else high = middle;
    }
    return low - this.#start;
  }

  *[Symbol.iterator](): Generator<T> {
    for (let index = this.#start; index < this.#items.length; index += 1) {
      const item = this.#items[index];
      if (item !== undefined) yield item;
    }
  }

  /** What is taken stays until it is half of all, so that it is moved once and not at every taking. */
  #dropFirst(): void {
    this.#start += 1;
    if (this.#start * 2 < this.#items.length) return;
    this.#items = this.#items.slice(this.#start);
    this.#start = 0;
  }
}
