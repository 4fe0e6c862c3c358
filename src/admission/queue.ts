import type { Millis, RunId } from '../units/brands.ts';
import { Line } from './line.ts';
import { withCommand, type Shape } from './shape.ts';
import { SortedRuns } from './sorted-runs.ts';
import type { Waiting } from './types.ts';

const isAside = ({ paused, after, damage }: Waiting): boolean => paused !== null || after !== null || damage !== null;

/** All that are due at one priority, by submitter. */
export interface Level {
  readonly priority: number;
  readonly lines: Map<string, Line>;
}

/**
 * The runs that wait. Those that are due stand in lanes, by priority, submitter and shape; those in a back-off sleep; those that a person
 * holds, that have to come after others, or whose record is damaged, are aside; those inside other runs have a list of their own.
 */
export class Queue {
  readonly #byRun = new Map<RunId, Waiting>();
  readonly #levels = new Map<number, Level>();
  #priorities: number[] = [];
  readonly #nested = new SortedRuns<Waiting>();
  readonly #aside = new Map<RunId, Waiting>();
  readonly #damaged = new Set<RunId>();
  /** By the end of their back-off. */
  readonly #asleep: Waiting[] = [];
  readonly #shapes = new Map<string, { shape: Shape; count: number }>();
  /** Those whose shape knows nothing of their command yet. */
  readonly #unlearned = new Map<string, Waiting | Set<Waiting>>();
  readonly #knows: (command: string) => boolean;
  #due = 0;
  #wantGpus = 0;

  /** `knows`: whether anything was learned of a command. */
  constructor(knows: (command: string) => boolean = () => false) {
    this.#knows = knows;
  }

  get size(): number {
    return this.#byRun.size;
  }

  /** How many stand in the order. */
  get due(): number {
    return this.#due;
  }

  /** How many stand in the order, or will when their back-off is over. */
  get coming(): number {
    return this.#due + this.#asleep.length;
  }

  /** Whether any waits for devices. */
  get wantsGpus(): boolean {
    return this.#wantGpus > 0;
  }

  /** Those whose record is damaged, by number. */
  get damaged(): readonly RunId[] {
    return [...this.#damaged].sort((a, b) => a - b);
  }

  add(given: Waiting): void {
    this.remove(given.run);
    const entry = this.#shaped(given);
    this.#byRun.set(entry.run, entry);
    if (entry.shape.gpus > 0) this.#wantGpus += 1;
    if (entry.damage !== null) this.#damaged.add(entry.run);
    if (entry.inside !== null) this.#nested.add(entry);
    else if (isAside(entry)) this.#aside.set(entry.run, entry);
    else if (entry.notBefore !== null) this.#asleep.splice(this.#placeAsleep(entry), 0, entry);
    else this.#stand(entry);
  }

  /** The entry that was there; null when there was none. */
  remove(run: RunId): Waiting | null {
    const entry = this.#byRun.get(run);
    if (entry === undefined) return null;
    this.#byRun.delete(run);
    this.#damaged.delete(run);
    if (entry.shape.gpus > 0) this.#wantGpus -= 1;
    this.#unshape(entry);
    if (entry.inside !== null) this.#nested.remove(run);
    else if (isAside(entry)) this.#aside.delete(run);
    else if (!this.#leave(entry)) this.#asleep.splice(this.#placeAsleep(entry), 1);
    return entry;
  }

  has(run: RunId): boolean {
    return this.#byRun.has(run);
  }

  get(run: RunId): Waiting | null {
    return this.#byRun.get(run) ?? null;
  }

  /** The entry, when it stands in the order. */
  standing(run: RunId): Waiting | null {
    const entry = this.#byRun.get(run);
    return entry !== undefined && this.lineOf(entry)?.has(entry) === true ? entry : null;
  }

  /** The line that an entry belongs into; null when there is none. */
  lineOf({ priority, submitter }: Waiting): Line | null {
    return this.#levels.get(priority)?.lines.get(submitter) ?? null;
  }

  /** Whose back-off is over stands in the order from now on. */
  wake(now: Millis): void {
    const awake = this.#asleep.findIndex(({ notBefore }) => notBefore !== null && notBefore > now);
    for (const entry of this.#asleep.splice(0, awake < 0 ? this.#asleep.length : awake)) this.#stand(entry);
  }

  /** When the next back-off ends after `now`; null: nobody is in one. */
  nextWake(now: Millis): Millis | null {
    let next = this.#asleep[0]?.notBefore ?? null;
    for (const { notBefore } of this.#nested)
      if (notBefore !== null && notBefore > now && (next === null || notBefore < next)) next = notBefore;
    return next;
  }

  /** From now on something is known of a command: its runs are sized by that. */
  learned(command: string): void {
    const found = this.#unlearned.get(command);
    if (found === undefined) return;
    for (const entry of found instanceof Set ? [...found] : [found]) this.add(entry);
  }

  /** Those that are due, highest priority first. */
  *levels(): Generator<Level> {
    for (const priority of this.#priorities) {
      const level = this.#levels.get(priority);
      if (level !== undefined) yield level;
    }
  }

  /** All, in no order. */
  [Symbol.iterator](): Iterator<Waiting> {
    return this.#byRun.values();
  }

  /** Who has runs that are due. */
  submitters(): Set<string> {
    const found = new Set<string>();
    for (const { lines } of this.#levels.values()) for (const submitter of lines.keys()) found.add(submitter);
    return found;
  }

  /** Those inside other runs, also those that are not due. */
  nested(): Iterable<Waiting> {
    return this.#nested;
  }

  /** Those that are not in the order, and not inside other runs: asleep, or aside. */
  *apart(): Generator<Waiting> {
    yield* this.#asleep;
    yield* this.#aside.values();
  }

  #stand(entry: Waiting): void {
    const { priority, submitter } = entry;
    let level = this.#levels.get(priority);
    if (level === undefined) {
      level = { priority, lines: new Map() };
      this.#levels.set(priority, level);
      this.#priorities = [...this.#priorities, priority].sort((a, b) => b - a);
    }
    let line = level.lines.get(submitter);
    if (line === undefined) {
      line = new Line(submitter, priority);
      level.lines.set(submitter, line);
    }
    line.add(entry);
    this.#due += 1;
  }

  #leave(entry: Waiting): boolean {
    const line = this.lineOf(entry);
    if (line === null || !line.has(entry)) return false;
    line.remove(entry);
    this.#due -= 1;
    if (line.runs.size > 0) return true;
    const level = this.#levels.get(entry.priority);
    level?.lines.delete(entry.submitter);
    if (level?.lines.size === 0) {
      this.#levels.delete(entry.priority);
      this.#priorities = this.#priorities.filter((one) => one !== entry.priority);
    }
    return true;
  }

  #placeAsleep({ run, notBefore }: Waiting): number {
    let low = 0;
    let high = this.#asleep.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const there = this.#asleep[middle];
      const order = (there?.notBefore ?? 0) - (notBefore ?? 0) || (there?.run ?? 0) - run;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** With the one shape that all its like share. */
  #shaped(entry: Waiting): Waiting {
    const { command } = entry;
    const known = command !== null && this.#knows(command);
    const wanted = known && entry.shape.command === null ? withCommand(entry.shape, command) : entry.shape;
    const shared = this.#shapes.get(wanted.key) ?? { shape: wanted, count: 0 };
    shared.count += 1;
    this.#shapes.set(wanted.key, shared);
    const shaped = shared.shape === entry.shape ? entry : { ...entry, shape: shared.shape };
    if (command !== null && !known) this.#keepUnlearned(command, shaped);
    return shaped;
  }

  #unshape(entry: Waiting): void {
    const { shape, command } = entry;
    const shared = this.#shapes.get(shape.key);
    if (shared !== undefined && (shared.count -= 1) === 0) this.#shapes.delete(shape.key);
    if (command === null) return;
    const found = this.#unlearned.get(command);
    if (found instanceof Set) found.delete(entry);
    if (found === entry || (found instanceof Set && found.size === 0)) this.#unlearned.delete(command);
  }

  #keepUnlearned(command: string, entry: Waiting): void {
    const found = this.#unlearned.get(command);
    if (found === undefined) this.#unlearned.set(command, entry);
    else if (found instanceof Set) found.add(entry);
    else this.#unlearned.set(command, new Set([found, entry]));
  }
}
