import type { RunId } from '../units/brands.ts';
import type { Lane, Line } from './line.ts';
import type { Shape } from './shape.ts';
import type { Waiting } from './types.ts';

/** What a decision, or several in a row that are only thought through, took out of the queue without changing it. */
export class Taken {
  readonly #runs = new Set<RunId>();
  /** How many at the front of a lane are taken, where some are and some are left. */
  readonly #begun = new Map<Line, Map<Lane, number>>();
  /** Lanes of which all are taken. */
  readonly #spent = new Set<Lane>();

  add(run: RunId): void {
    this.#runs.add(run);
  }

  has(run: RunId): boolean {
    return this.#runs.has(run);
  }

  /** The oldest of a lane that is left; null when none is. */
  first(line: Line, lane: Lane): Waiting | null {
    if (this.#spent.has(lane)) return null;
    let at = this.#begun.get(line)?.get(lane) ?? 0;
    const before = at;
    let entry = lane.runs.at(at);
    while (entry !== null && this.#runs.has(entry.run)) entry = lane.runs.at((at += 1));
    if (entry === null) this.#spend(line, lane);
    else if (at > before) this.#begin(line, lane, at);
    return entry;
  }

  /** The lanes of which something at the front is taken: they do not stand where their oldest is any more. */
  begun(line: Line): ReadonlyMap<Lane, number> {
    return this.#begun.get(line) ?? none;
  }

  #begin(line: Line, lane: Lane, at: number): void {
    const known = this.#begun.get(line);
    if (known === undefined) this.#begun.set(line, new Map([[lane, at]]));
    else known.set(lane, at);
  }

  #spend(line: Line, lane: Lane): void {
    this.#begun.get(line)?.delete(lane);
    this.#spent.add(lane);
  }
}

const none: ReadonlyMap<Lane, number> = new Map();

/** Goes through the runs of one line, oldest first, without those of shapes that were looked at in vain. */
export class Walk {
  readonly line: Line;
  readonly #taken: Taken;
  readonly #closed: ReadonlySet<Shape>;
  #next = 0;

  constructor(line: Line, taken: Taken, closed: ReadonlySet<Shape>) {
    this.line = line;
    this.#taken = taken;
    this.#closed = closed;
  }

  /** The run whose turn it is; null when there is none. The same one until it is taken or its shape closed. */
  peek(): Waiting | null {
    const untouched = this.#untouched();
    let oldest = untouched;
    // A lane that is spent goes while it is looked at, which a map bears.
    for (const lane of this.#taken.begun(this.line).keys()) {
      if (this.#closed.has(lane.shape)) continue;
      const entry = this.#taken.first(this.line, lane);
      if (entry !== null && (oldest === null || entry.run < oldest.run)) oldest = entry;
    }
    return oldest;
  }

  #untouched(): Waiting | null {
    const { lanes } = this.line;
    for (; this.#next < lanes.length; this.#next += 1) {
      const lane = lanes[this.#next];
      if (lane === undefined || this.#closed.has(lane.shape) || this.#taken.begun(this.line).has(lane)) continue;
      const entry = this.#taken.first(this.line, lane);
      if (entry !== null && !this.#taken.begun(this.line).has(lane)) return entry;
    }
    return null;
  }
}
