import type { RunId } from '../units/brands.ts';

/** So many of the first that held something are kept, and the last of all. */
const mostFirst = 4;

/** Who held something over a long time, in little room: the first few, the last one, and how many there were. */
export class SeenHolders {
  readonly #first: RunId[] = [];
  #last: RunId | null = null;
  #now: readonly RunId[] = [];
  #count = 0;

  /** Who holds it now, those with the most first. Who comes back later, behind the first few, is counted again. */
  note(now: readonly RunId[]): void {
    const came = now.filter((run) => !this.#now.includes(run) && !this.#first.includes(run));
    this.#now = now;
    this.#count += came.length;
    const room = mostFirst - this.#first.length;
    this.#first.push(...came.slice(0, room));
    this.#last = came.slice(room)[0] ?? this.#last;
  }

  /** In the order in which they came; the last one stands last. */
  get all(): readonly RunId[] {
    return this.#last === null ? this.#first : [...this.#first, this.#last];
  }

  /** How many more there were in between. */
  get more(): number {
    return this.#count - this.all.length;
  }
}
