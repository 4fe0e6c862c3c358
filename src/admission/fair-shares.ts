import type { AdmissionState, Holding } from './types.ts';

/** What is remembered of whose turn it is, from one decision to the next. */
export interface Passes {
  /** How much each submitter has been given, as a sum of shares of the machine; least goes first. */
  readonly of: ReadonlyMap<string, number>;
  /** Who waited or held something at the last decision. */
  readonly active: ReadonlySet<string>;
}

export const noPasses: Passes = { of: new Map(), active: new Set() };

/** A run that holds next to nothing is a turn all the same. */
const leastShare = 1e-6;

/** Of so many who are away it is remembered what they were given: beside a run that goes on for weeks thousands of programs come and go. */
const mostAway = 1000;

interface Held {
  cpus: number;
  memory: number;
  gpus: number;
}

/**
 * Who goes first: who holds the smallest share of the machine now, by what it holds most of (dominant resource fairness); among those that
 * hold alike, whoever was given least so far (stride scheduling), which counts also when each run is over before the next one starts. A
 * submitter that comes back, or is new, does not get what it did not ask for meanwhile.
 */
export class FairShares {
  readonly #total: Held;
  readonly #held = new Map<string, Held>();
  readonly #passes = new Map<string, number>();
  readonly #active: Set<string>;

  constructor(
    { budget, machine, holding }: Pick<AdmissionState, 'budget' | 'machine' | 'holding'>,
    waiting: Iterable<string>,
    before: Passes,
  ) {
    this.#total = { cpus: budget.cpusMilli, memory: budget.memory, gpus: machine.gpus.length };
    this.#active = new Set(waiting);
    for (const one of holding) {
      this.#active.add(one.submitter);
      this.#hold(one);
    }
    // When nobody is there any more, all begin anew.
    if (this.#active.size === 0) return;
    const staying = [...this.#active].filter((one) => before.active.has(one)).map((one) => before.of.get(one) ?? 0);
    const least = staying.length === 0 ? 0 : Math.min(...staying);
    for (const one of this.#active) {
      const own = before.of.get(one) ?? 0;
      this.#passes.set(one, before.active.has(one) ? own : Math.max(own, least));
    }
    // What is under the least of those that are there would be lifted to it anyway. Who was there last stands first.
    const most = this.#active.size + mostAway;
    for (const [one, pass] of before.of) {
      if (this.#passes.size >= most) break;
      if (!this.#active.has(one) && pass > least) this.#passes.set(one, pass);
    }
  }

  get passes(): Passes {
    return { of: this.#passes, active: this.#active };
  }

  /** Below 0 when `a` goes before `b`; 0 when nothing but age tells them apart. */
  order(a: string, b: string): number {
    return this.#shareOf(a) - this.#shareOf(b) || (this.#passes.get(a) ?? 0) - (this.#passes.get(b) ?? 0);
  }

  take(holding: Holding): void {
    const { submitter } = holding;
    this.#hold(holding);
    const share = this.#dominant({ cpus: holding.cpusMilli, memory: holding.memory, gpus: holding.gpus.length });
    this.#passes.set(submitter, (this.#passes.get(submitter) ?? 0) + Math.max(leastShare, share));
  }

  #hold({ submitter, cpusMilli, memory, gpus }: Holding): void {
    const held = this.#held.get(submitter) ?? { cpus: 0, memory: 0, gpus: 0 };
    this.#held.set(submitter, {
      cpus: held.cpus + cpusMilli,
      memory: held.memory + memory,
      gpus: held.gpus + gpus.length,
    });
  }

  #shareOf(submitter: string): number {
    const held = this.#held.get(submitter);
    return held === undefined ? 0 : this.#dominant(held);
  }

  #dominant({ cpus, memory, gpus }: Held): number {
    const { cpus: allCpus, memory: allMemory, gpus: allGpus } = this.#total;
    return Math.max(cpus / allCpus, memory / allMemory, allGpus > 0 ? gpus / allGpus : 0);
  }
}
