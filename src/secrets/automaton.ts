/** What a pattern asks of its surroundings. */
export interface PatternRule {
  /** Counts only where no letter, digit or underscore touches it. */
  readonly whole: boolean;
  /** The character before it, or after it, holds some bits of the value too. */
  readonly before: boolean;
  readonly after: boolean;
  /** It is read by pairs, between which something else may stand. */
  readonly pairs: boolean;
}

export const hasLongest = 1;
export const hasWhole = 2;
export const touchesBefore = 4;
export const touchesAfter = 8;
/** Some pairs of a pattern end here. */
export const hasPairs = 64;
/** Of a state that is no whole pattern: at the end of a text it tells that one was cut short there; then, that the character before it touches; that it is some pairs. */
const telling = 16;
const tellingTouches = 32;
const paired = hasPairs;

/** A beginning of a pattern tells of it when it is so long, and half of it. */
const shortestTelling = 8;

/** From this many children on a state has a table of its own, so that no step depends on how many values there are. */
const rowFrom = 7;
/** Up to so many states every step is one look into a table, 512 bytes a state. */
const mostTabled = 8192;

/**
 * Aho and Corasick's automaton over bytes: state 0 is the root, a state stands for the longest beginning of any pattern that the text ends with now.
 * Nearly all states have one child, so children are lists, about 30 bytes a state; a step costs constant time on average, whatever the patterns.
 */
export interface Automaton {
  readonly root: Int32Array;
  /** Every step of every state, 256 each; empty when that would be too many. */
  readonly table: Uint16Array;
  readonly depth: Int32Array;
  /** The flags above. */
  readonly hit: Uint8Array;
  /** The length of the longest pattern that ends here and counts anywhere; 0: none. */
  readonly longest: Int32Array;
  /** The nearest state, itself or along the suffixes, at which a pattern that counts only as a whole word ends; 0: none. */
  readonly wholeLink: Int32Array;
  /** The nearest state, likewise, that tells of a pattern which was cut short; 0: none. */
  readonly cutLink: Int32Array;
  readonly cutTouches: (state: number) => boolean;
  /** The nearest state, likewise, that is some pairs of a pattern; 0: none. */
  readonly pairLink: Int32Array;
  readonly fail: Int32Array;
  /** The longest pattern's length. */
  readonly reach: number;
  readonly step: (state: number, byte: number) => number;
}

export class AutomatonBuilder {
  #size = 1;
  #first = new Int32Array(64);
  #sibling = new Int32Array(64);
  #byte = new Uint8Array(64);
  #depth = new Int32Array(64);
  #own = new Uint8Array(64);

  add(pattern: Uint8Array, rule: PatternRule): void {
    if (pattern.length === 0) return;
    let state = 0;
    const tellsFrom = rule.whole ? Infinity : Math.max(shortestTelling, pattern.length / 2);
    const tells = telling | (rule.before ? tellingTouches : 0);
    let depth = 0;
    for (const byte of pattern) {
      state = this.#child(state, byte) || this.#grow(state, byte);
      depth += 1;
      const own =
        (depth >= tellsFrom && depth < pattern.length ? tells : 0) | (rule.pairs && depth % 2 === 0 ? paired : 0);
      this.#own[state] = (this.#own[state] ?? 0) | own;
    }
    // What counts anywhere counts as a whole word too.
    const flags = (rule.before ? touchesBefore : 0) | (rule.after ? touchesAfter : 0);
    this.#own[state] = (this.#own[state] ?? 0) | flags | (rule.whole ? hasWhole : hasLongest);
  }

  build(): Automaton {
    const size = this.#size;
    const [first, sibling, byteOf] = [this.#first, this.#sibling, this.#byte];
    const root = new Int32Array(256);
    for (let child = first[0] ?? 0; child !== 0; child = sibling[child] ?? 0) root[byteOf[child] ?? 0] = child;
    const { rowOf, rows } = tables(size, first, sibling, byteOf);
    const fail = new Int32Array(size);
    const step = (from: number, byte: number): number => {
      for (let state = from; state !== 0; state = fail[state] ?? 0) {
        const row = rowOf[state] ?? 0;
        let child: number;
        if (row !== 0) child = rows[row * 256 + byte] ?? 0;
        else {
          child = first[state] ?? 0;
          while (child !== 0 && byteOf[child] !== byte) child = sibling[child] ?? 0;
        }
        if (child !== 0) return child;
      }
      return root[byte] ?? 0;
    };

    const [depth, own] = [this.#depth.slice(0, size), this.#own];
    const hit = new Uint8Array(size);
    const longest = new Int32Array(size);
    const wholeLink = new Int32Array(size);
    const cutLink = new Int32Array(size);
    const pairLink = new Int32Array(size);
    let reach = 0;
    // From the shallow to the deep: what a state fails to is finished before it.
    const queue = new Int32Array(size);
    for (let head = 0, tail = 1; head < tail; head += 1) {
      const state = queue[head] ?? 0;
      for (let child = first[state] ?? 0; child !== 0; child = sibling[child] ?? 0) {
        queue[tail] = child;
        tail += 1;
        if (state !== 0) fail[child] = step(fail[state] ?? 0, byteOf[child] ?? 0);
        const shorter = fail[child] ?? 0;
        const flags = own[child] ?? 0;
        const ownLongest = (flags & hasLongest) !== 0;
        const ownWhole = !ownLongest && (flags & hasWhole) !== 0;
        longest[child] = ownLongest ? (depth[child] ?? 0) : (longest[shorter] ?? 0);
        wholeLink[child] = ownWhole ? child : (wholeLink[shorter] ?? 0);
        cutLink[child] = (flags & telling) === 0 ? (cutLink[shorter] ?? 0) : child;
        pairLink[child] = (flags & paired) === 0 ? (pairLink[shorter] ?? 0) : child;
        const before = (ownLongest ? flags : (hit[shorter] ?? 0)) & touchesBefore;
        const after = ((ownLongest ? flags : 0) | (hit[shorter] ?? 0)) & touchesAfter;
        hit[child] =
          (longest[child] === 0 ? 0 : hasLongest) |
          (wholeLink[child] === 0 ? 0 : hasWhole) |
          (pairLink[child] === 0 ? 0 : hasPairs) |
          before |
          after;
        if (flags !== 0) reach = Math.max(reach, depth[child] ?? 0);
      }
    }
    return {
      root,
      table: size > mostTabled ? new Uint16Array() : allSteps(queue, root, fail, first, sibling, byteOf),
      depth,
      hit,
      longest,
      wholeLink,
      cutLink,
      cutTouches: (state) => ((own[state] ?? 0) & tellingTouches) !== 0,
      pairLink,
      fail,
      reach,
      step,
    };
  }

  #child(state: number, byte: number): number {
    let child = this.#first[state] ?? 0;
    while (child !== 0 && this.#byte[child] !== byte) child = this.#sibling[child] ?? 0;
    return child;
  }

  #grow(parent: number, byte: number): number {
    if (this.#size === this.#first.length) {
      this.#first = doubled(this.#first);
      this.#sibling = doubled(this.#sibling);
      this.#depth = doubled(this.#depth);
      this.#byte = doubledBytes(this.#byte);
      this.#own = doubledBytes(this.#own);
    }
    const state = this.#size;
    this.#size += 1;
    this.#byte[state] = byte;
    this.#depth[state] = (this.#depth[parent] ?? 0) + 1;
    this.#sibling[state] = this.#first[parent] ?? 0;
    this.#first[parent] = state;
    return state;
  }
}

const doubled = (from: Int32Array): Int32Array<ArrayBuffer> => {
  const to = new Int32Array(from.length * 2);
  to.set(from);
  return to;
};

const doubledBytes = (from: Uint8Array): Uint8Array<ArrayBuffer> => {
  const to = new Uint8Array(from.length * 2);
  to.set(from);
  return to;
};

/** Each state has the steps of the one that it fails to, but for its own; that one comes before it in the queue. */
const allSteps = (
  queue: Int32Array,
  root: Int32Array,
  fail: Int32Array,
  first: Int32Array,
  sibling: Int32Array,
  byteOf: Uint8Array,
): Uint16Array => {
  const table = new Uint16Array(queue.length * 256);
  table.set(root);
  for (const state of queue.subarray(1)) {
    const shorter = (fail[state] ?? 0) * 256;
    table.copyWithin(state * 256, shorter, shorter + 256);
    for (let child = first[state] ?? 0; child !== 0; child = sibling[child] ?? 0) {
      table[state * 256 + (byteOf[child] ?? 0)] = child;
    }
  }
  return table;
};

/** Tables of 256 for the states with many children; row 0 is nobody's. */
const tables = (
  size: number,
  first: Int32Array,
  sibling: Int32Array,
  byteOf: Uint8Array,
): { rowOf: Int32Array; rows: Int32Array } => {
  const rowOf = new Int32Array(size);
  let count = 1;
  for (let state = 1; state < size; state += 1) {
    let children = 0;
    for (let child = first[state] ?? 0; child !== 0; child = sibling[child] ?? 0) children += 1;
    if (children < rowFrom) continue;
    rowOf[state] = count;
    count += 1;
  }
  const rows = new Int32Array(count * 256);
  for (let state = 1; state < size; state += 1) {
    const row = rowOf[state] ?? 0;
    if (row === 0) continue;
    for (let child = first[state] ?? 0; child !== 0; child = sibling[child] ?? 0) {
      rows[row * 256 + (byteOf[child] ?? 0)] = child;
    }
  }
  return { rowOf, rows };
};
