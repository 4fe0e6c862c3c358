import type { Interval } from './intervals.ts';

const stars = Buffer.from('***');

/** The stream as it came, from a little before what was passed on up to now, by offsets from its beginning. */
export class MaskOutput {
  readonly #kept: number;
  #bytes = Buffer.allocUnsafe(8192);
  #base = 0;
  #passed = 0;
  /** The byte before was replaced: the next one that is needs no stars of its own. */
  #masking = false;
  /** How much has come. */
  length = 0;

  /** So many bytes of what was passed on stay readable. */
  constructor(kept: number) {
    this.#kept = kept;
  }

  at(offset: number): number {
    return this.#bytes[offset - this.#base] ?? 0;
  }

  slice(start: number, end: number): Uint8Array {
    return this.#bytes.subarray(start - this.#base, end - this.#base);
  }

  append(chunk: Uint8Array): void {
    const wanted = this.length - this.#base + chunk.length;
    if (wanted > this.#bytes.length) {
      const from = Math.max(this.#base, this.#passed - this.#kept);
      const needed = this.length - from + chunk.length;
      // At most half of it is used, so that what is kept is moved seldom.
      const into = needed * 2 > this.#bytes.length ? Buffer.allocUnsafe(needed * 2) : this.#bytes;
      this.#bytes.copy(into, 0, from - this.#base, this.length - this.#base);
      this.#bytes = into;
      this.#base = from;
    }
    this.#bytes.set(chunk, this.length - this.#base);
    this.length += chunk.length;
  }

  /** What comes before an offset: without the matches; without what is in `matches` except what is invisible. */
  take(
    until: number,
    literal: readonly Interval[],
    matches: readonly Interval[],
    invisible: readonly Interval[],
  ): Uint8Array {
    const parts: Uint8Array[] = [];
    const cursors = [literal, matches, invisible].map((list) => new Cursor(list));
    while (this.#passed < until) {
      const at = this.#passed;
      let next = until;
      const [inLiteral, inMatch, unseen] = cursors.map((cursor) => {
        const { part, change } = cursor.look(at);
        next = Math.min(next, change);
        return part;
      });
      if (inLiteral || (inMatch && !unseen)) {
        if (!this.#masking) parts.push(stars);
        this.#masking = true;
      } else {
        parts.push(this.#bytes.subarray(at - this.#base, next - this.#base));
        if (!inMatch) this.#masking = false;
      }
      this.#passed = next;
    }
    return Buffer.concat(parts);
  }
}

/** Goes through parts that lie apart and in order. */
class Cursor {
  readonly #list: readonly Interval[];
  #index = 0;

  constructor(list: readonly Interval[]) {
    this.#list = list;
  }

  /** The part that an offset, never before the one asked for last, is in, and where that changes. */
  look(offset: number): { part: Interval | null; change: number } {
    for (let part = this.#list[this.#index]; part !== undefined; part = this.#list[this.#index]) {
      if (part.end > offset) {
        return part.start <= offset ? { part, change: part.end } : { part: null, change: part.start };
      }
      this.#index += 1;
    }
    return { part: null, change: Infinity };
  }
}
