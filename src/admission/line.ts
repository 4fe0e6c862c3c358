import type { RunId } from '../units/brands.ts';
import type { Shape } from './shape.ts';
import { SortedRuns } from './sorted-runs.ts';
import type { Waiting } from './types.ts';

/** Runs of one shape in a line, oldest first. */
export interface Lane {
  readonly shape: Shape;
  readonly runs: SortedRuns<Waiting>;
}

/** The runs of one submitter at one priority that are due. */
export class Line {
  readonly submitter: string;
  readonly priority: number;
  readonly runs = new SortedRuns<Waiting>();
  /** By the oldest of each. */
  readonly lanes: Lane[] = [];
  readonly #byShape = new Map<Shape, Lane>();

  constructor(submitter: string, priority: number) {
    this.submitter = submitter;
    this.priority = priority;
  }

  has(entry: Waiting): boolean {
    return this.runs.get(entry.run) === entry;
  }

  /** Those of a shape. */
  of(shape: Shape): SortedRuns<Waiting> | null {
    return this.#byShape.get(shape)?.runs ?? null;
  }

  add(entry: Waiting): void {
    this.runs.add(entry);
    const lane = this.#byShape.get(entry.shape) ?? { shape: entry.shape, runs: new SortedRuns<Waiting>() };
    const first = lane.runs.first;
    lane.runs.add(entry);
    if (first === null) this.#byShape.set(entry.shape, lane);
    this.#replace(lane, first);
  }

  remove(entry: Waiting): void {
    const lane = this.#byShape.get(entry.shape);
    if (lane === undefined) return;
    this.runs.remove(entry.run);
    const { first } = lane.runs;
    lane.runs.remove(entry.run);
    if (lane.runs.size === 0) this.#byShape.delete(entry.shape);
    this.#replace(lane, first);
  }

  /** Puts a lane where it belongs now; `before` was its oldest. */
  #replace(lane: Lane, before: Waiting | null): void {
    const { first } = lane.runs;
    if (first === before) return;
    if (before !== null) this.lanes.splice(this.#place(before.run, lane), 1);
    if (first !== null) this.lanes.splice(this.#place(first.run), 0, lane);
  }

  /** Among the lanes' oldest; `lane` is one whose oldest is `run` no longer, and is still in its place. */
  #place(run: RunId, lane?: Lane): number {
    let low = 0;
    let high = this.lanes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const there = this.lanes[middle];
      const oldest = there === lane ? run : (there?.runs.first?.run ?? run);
      if (oldest < run) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
