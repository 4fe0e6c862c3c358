import type { Millis, RunId } from '../units/brands.ts';

const firstAgainMs = 2000;
const lastAgainMs = 300_000;

/** What keeps logs of some runs on this machine. One of them is tried after a while, longer each time, and tells whether it is over. */
export interface Hold {
  readonly key: string;
  /** Where they go; null: not known. */
  readonly to: string | null;
  /** Nothing that goes there is tried but by the run whose turn it is. */
  readonly isPlace: boolean;
  readonly since: Millis;
  why: string;
  /** Those that wait, in their turn. */
  readonly runs: Set<RunId>;
  /** Those of them that were tried in vain. */
  readonly failed: Set<RunId>;
  /** The one that is being tried. */
  trying: RunId | null;
  againMs: number;
}

export interface MoveFailure {
  readonly to: string | null;
  /** The place is away, as far as can be told; else it is about the run's own files, or this machine. */
  readonly isAway: boolean;
  readonly why: string;
}

/** What came of moving a run. */
export interface MoveOutcome {
  /** The places that took something. */
  readonly sent: ReadonlySet<string>;
  readonly failures: readonly MoveFailure[];
  /** The places that it goes to and that were left alone, since they are away. */
  readonly away: ReadonlySet<string>;
}

export interface Settled {
  /** New ones, each with the run that failed. */
  readonly begun: readonly Hold[];
  readonly over: readonly Hold[];
  /** Of these a run is to be tried after their `againMs`. */
  readonly again: readonly Hold[];
  /** Runs that may be moved now. */
  readonly free: ReadonlySet<RunId>;
}

/** Each place is away for itself: what goes to another one is not held up. */
export class MoveHolds {
  /** By the address of a place that is away, or by what else is wrong. */
  readonly #holds = new Map<string, Hold>();
  /** Failed at a place where others got through: what they fail of is their own. */
  readonly #suspects = new Set<RunId>();

  /** The oldest first. */
  get all(): readonly Hold[] {
    return [...this.#holds.values()];
  }

  /** Why what a run has to move to a place waits; null: it is on its way. */
  whyOf(run: RunId, to: string): string | null {
    return (this.#holds.get(to) ?? this.all.find(({ runs }) => runs.has(run)))?.why ?? null;
  }

  /** Whether a run is to leave a place alone. */
  isHeld(run: RunId, to: string): boolean {
    const hold = this.#holds.get(to);
    return hold !== undefined && hold.trying !== run;
  }

  /** The run whose turn it is now; null: there is none, or it is over. */
  take(hold: Hold): RunId | null {
    if (this.#holds.get(hold.key) !== hold) return null;
    const [first = null] = hold.runs;
    hold.trying = first;
    if (first === null) this.#holds.delete(hold.key);
    return first;
  }

  /** Nothing is moved of it any more. Gives what it was to tell of: another one is to be tried. */
  forget(run: RunId): Hold[] {
    this.#suspects.delete(run);
    for (const hold of this.all) hold.runs.delete(run);
    const told = this.all.filter(({ trying }) => trying === run);
    for (const hold of told) hold.trying = null;
    return told;
  }

  settle(run: RunId, { sent, failures, away }: MoveOutcome, now: Millis): Settled {
    const settled = { begun: [] as Hold[], over: [] as Hold[], again: [] as Hold[], free: new Set<RunId>() };
    if (failures.length + away.size === 0) this.#suspects.delete(run);
    const failed = new Set(failures.map((failure) => this.#fail(run, failure, now, settled)));
    for (const to of away) if (this.#holds.get(to)?.runs.add(run) === undefined) settled.free.add(run);
    for (const hold of this.all) {
      const isTold = hold.trying === run;
      if (isTold) hold.trying = null;
      if (failed.has(hold)) {
        if (isTold) hold.againMs = Math.min(2 * hold.againMs, lastAgainMs);
      } else {
        if (!away.has(hold.key)) hold.runs.delete(run);
        if (hold.isPlace ? sent.has(hold.key) : isTold) this.#end(hold, settled);
      }
      if (isTold && this.#holds.has(hold.key)) settled.again.push(hold);
    }
    return settled;
  }

  #fail(
    run: RunId,
    { to, isAway, why }: MoveFailure,
    now: Millis,
    { begun, again }: { begun: Hold[]; again: Hold[] },
  ): Hold {
    const isPlace = isAway && to !== null && !this.#suspects.has(run);
    const key = isPlace ? to : isAway ? `run ${run}` : why;
    let hold = this.#holds.get(key);
    if (hold === undefined) {
      const [runs, failed] = [new Set<RunId>(), new Set<RunId>()];
      hold = { key, to, isPlace, since: now, why, runs, failed, trying: null, againMs: firstAgainMs };
      this.#holds.set(key, hold);
      begun.push(hold);
      again.push(hold);
    }
    hold.why = why;
    hold.failed.add(run);
    // To the end of the line.
    hold.runs.delete(run);
    hold.runs.add(run);
    return hold;
  }

  #end(hold: Hold, { over, free }: { over: Hold[]; free: Set<RunId> }): void {
    this.#holds.delete(hold.key);
    over.push(hold);
    for (const run of hold.runs) free.add(run);
    if (hold.isPlace) for (const run of hold.failed) if (hold.runs.has(run)) this.#suspects.add(run);
  }
}
