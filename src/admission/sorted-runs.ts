import type { RunId } from '../units/brands.ts';

/** So many share a block: what is added or removed moves those of its block alone, however many there are. */
const blockMost = 512;

/** What has a run's number, in the order of the numbers. Mostly added at the end and taken from the front. */
export class SortedRuns<T extends { readonly run: RunId }> {
  /** In order, none empty. */
  #blocks: T[][] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get first(): T | null {
    return this.#blocks[0]?.[0] ?? null;
  }

  at(index: number): T | null {
    let left = index;
    for (const block of this.#blocks) {
      if (left < block.length) return block[left] ?? null;
      left -= block.length;
    }
    return null;
  }

  get(run: RunId): T | null {
    const block = this.#blocks[this.#blockOf(run)];
    const item = block?.[placeIn(block, run)];
    return item?.run === run ? item : null;
  }

  add(item: T): void {
    this.#size += 1;
    const last = this.#blocks.at(-1);
    // As long as it needs to be, where most hold a single one.
    if (last === undefined) this.#blocks = [[item]];
    else if ((last.at(-1)?.run ?? 0) > item.run) this.#insert(item);
    else if (last.length < blockMost) last.push(item);
    else this.#blocks.push([item]);
  }

  remove(run: RunId): void {
    const at = this.#blockOf(run);
    const block = this.#blocks[at];
    const place = block === undefined ? 0 : placeIn(block, run);
    if (block?.[place]?.run !== run) return;
    block.splice(place, 1);
    if (block.length === 0) this.#blocks.splice(at, 1);
    this.#size -= 1;
  }

  /** How many have a smaller number. */
  before(run: RunId): number {
    const at = this.#blockOf(run);
    let count = 0;
    for (let earlier = 0; earlier < at; earlier += 1) count += this.#blocks[earlier]?.length ?? 0;
    const block = this.#blocks[at];
    return block === undefined ? count : count + placeIn(block, run);
  }

  *[Symbol.iterator](): Generator<T> {
    for (const block of this.#blocks) yield* block;
  }

  #insert(item: T): void {
    const at = this.#blockOf(item.run);
    const block = this.#blocks[at];
    if (block === undefined) return;
    block.splice(placeIn(block, item.run), 0, item);
    if (block.length > blockMost) this.#blocks.splice(at + 1, 0, block.splice(block.length >>> 1));
  }

  /** The block that has a run, or would: the first that ends with it or a later one. */
  #blockOf(run: RunId): number {
    let low = 0;
    let high = this.#blocks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#blocks[middle]?.at(-1)?.run ?? run) < run) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** How many of a block have a smaller number. */
const placeIn = (block: readonly { readonly run: RunId }[], run: RunId): number => {
  let low = 0;
  let high = block.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((block[middle]?.run ?? run) < run) low = middle + 1;
    else high = middle;
  }
  return low;
};
