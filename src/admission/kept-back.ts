import type { Millis, RunId } from '../units/brands.ts';
import { SeenHolders } from './seen-holders.ts';

/** What kept a run from starting while it was among the first, for how long, and who held it. */
export interface KeptBack {
  /** As a fact's: `memory`, `cpus`, `lock`, … */
  readonly kind: string;
  readonly ms: number;
  /** The runs that held what it needed: the first four, and the last. */
  readonly holders: readonly RunId[];
  /** How many more there were in between; left out: none. */
  readonly more?: number;
  /** As it was told when it was first seen. */
  readonly words: string;
}

export interface Seen {
  readonly run: RunId;
  readonly kind: string;
  readonly holders: readonly RunId[];
  readonly words: string;
}

type Kept = Omit<KeptBack, 'holders' | 'more'> & { readonly holders: SeenHolders };

interface Open {
  readonly since: Millis;
  readonly kind: string;
}

/**
 * What keeps the first runs of the queue, over time: the past of a reason, which is else worked out only when somebody asks. Of runs further
 * back nothing is kept: they stand behind these.
 */
export class KeptBackLog {
  readonly #open = new Map<RunId, Open>();
  readonly #kept = new Map<RunId, Map<string, Kept>>();

  /** What keeps the first now; who is not among them any more, or is kept by something else, was kept until now. */
  note(now: Millis, seen: readonly Seen[]): void {
    const first = new Map(seen.map((one) => [one.run, one]));
    for (const [run, { kind }] of this.#open) if (first.get(run)?.kind !== kind) this.#close(run, now);
    for (const { run, kind, holders, words } of seen) {
      const kept = this.#kept.get(run) ?? new Map<string, Kept>();
      const one = kept.get(kind) ?? { kind, ms: 0, holders: new SeenHolders(), words };
      one.holders.note(holders);
      kept.set(kind, one);
      this.#kept.set(run, kept);
      if (!this.#open.has(run)) this.#open.set(run, { since: now, kind });
    }
    for (const run of this.#kept.keys()) {
      if (this.#kept.size <= mostRuns) break;
      if (!first.has(run)) this.#forget(run);
    }
  }

  /** What kept a run that starts now, the longest first; what was too short to tell is left out. It is forgotten. */
  take(run: RunId, now: Millis): KeptBack[] {
    this.#close(run, now);
    const kept = [...(this.#kept.get(run)?.values() ?? [])];
    this.#forget(run);
    return kept
      .filter(({ ms }) => ms >= shortest)
      .sort((a, b) => b.ms - a.ms)
      .slice(0, mostKinds)
      .map(({ holders, ...one }) => ({
        ...one,
        holders: holders.all,
        ...(holders.more === 0 ? {} : { more: holders.more }),
      }));
  }

  #close(run: RunId, now: Millis): void {
    const open = this.#open.get(run);
    if (open === undefined) return;
    this.#open.delete(run);
    const kept = this.#kept.get(run);
    const before = kept?.get(open.kind);
    if (before !== undefined) kept?.set(open.kind, { ...before, ms: before.ms + Math.max(0, now - open.since) });
  }

  #forget(run: RunId): void {
    this.#open.delete(run);
    this.#kept.delete(run);
  }
}

const shortest = 500;
const mostKinds = 3;
/** Those that were among the first once and are killed are forgotten by and by. */
const mostRuns = 200;
