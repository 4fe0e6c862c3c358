import type { Dimension } from './dimension.ts';
import { holds } from './holds.ts';
import type { GpuDevice } from './machine-state.ts';
import type { Need } from './shape.ts';
import type { AdmissionState, Holding } from './types.ts';

/** What there is in each dimension, what is held of it, and what is left; it gets less as a decision admits. */
export class Room {
  readonly holding: Holding[];
  readonly #there = new Map<Dimension, number>();
  readonly #held = new Map<Dimension, number>();
  /** Lowest number first. */
  readonly #devices: GpuDevice[];

  constructor({
    budget,
    machine,
    amounts,
    holding,
  }: Pick<AdmissionState, 'budget' | 'machine' | 'amounts' | 'holding'>) {
    this.holding = [...holding];
    const others = machine.others.reduce((sum, { bytes }) => sum + bytes, 0);
    const taken = new Set(holding.flatMap(({ gpus }) => gpus));
    this.#devices = machine.gpus
      .filter(({ id, foreign }) => foreign.length === 0 && !taken.has(id))
      .toSorted((a, b) => a.index - b.index);
    for (const [of, amount] of amounts) this.#there.set(of as Dimension, amount);
    this.#there.set('cpus', budget.cpusMilli);
    this.#there.set('memory', budget.memory - others);
    this.#there.set('machine', machineMemory(machine.availableBytes, budget.reserve, holding));
    this.#there.set('gpus', this.#devices.length + taken.size);
    for (const one of holding) this.#hold(one);
  }

  /** How much there would be of what is needed if no run of ours held any. */
  there({ of, there }: Pick<Need, 'of' | 'there'>): number {
    return there ?? this.#there.get(of) ?? 0;
  }

  free(need: Pick<Need, 'of' | 'there'>): number {
    return this.there(need) - (this.#held.get(need.of) ?? 0);
  }

  /** What of `needs` is not free. */
  short(needs: readonly Need[]): Need[] {
    const short: Need[] = [];
    for (const need of needs) if (need.amount > this.free(need)) short.push(need);
    return short;
  }

  /** The devices that so many would get. */
  devices(count: number): string[] {
    return this.#devices.slice(0, count).map(({ id }) => id);
  }

  take(holding: Holding): void {
    this.holding.push(holding);
    this.#devices.splice(0, holding.gpus.length);
    this.#hold(holding);
  }

  #hold(holding: Holding): void {
    for (const [of, amount] of holds(holding)) this.#held.set(of, (this.#held.get(of) ?? 0) + amount);
  }
}

/**
 * What the machine could give to all runs together: what is available now, and what they use already. The reserve is for the rest of the
 * system, which uses it: it is not asked for twice. Without a figure there is no bound.
 */
const machineMemory = (available: number | null, reserve: number, holding: readonly Holding[]): number =>
  available === null
    ? Number.POSITIVE_INFINITY
    : available + reserve + holding.reduce((sum, { residentBytes }) => sum + (residentBytes ?? 0), 0);
