import { MAX_MARKS, type Mark } from './mark.ts';

/** A shorter interval cannot tell cores: the kernel counts CPU time in ticks of 10 ms. */
const shortestSeconds = 0.02;

/** One run process's samples, from its start to its end. Times are seconds on one monotonic clock, given by the caller. */
export class Meter {
  #marks: Mark[];
  /** The last reading that was not below the one before it. */
  #reached: Pick<Mark, 'at' | 'cpu'>;
  /** `wait4`'s `ru_maxrss` in bytes once it has ended, else -1. */
  maxRss = -1;

  constructor(now: number) {
    this.#marks = [{ at: now, rss: -1, cpu: 0, cpus: -1 }];
    this.#reached = { at: now, cpu: 0 };
  }

  get marks(): readonly Mark[] {
    return this.#marks;
  }

  /** The largest resident size sampled, in bytes; null before the first sample. */
  get peakRss(): number | null {
    return this.#most('rss');
  }

  /** The most cores busy over one sample's interval; null before there was one. */
  get peakCpus(): number | null {
    return this.#most('cpus');
  }

  /** What an earlier meter of the same process had at most; `null` for what it did not know. To be told before any sample. */
  recall(rss: number | null, cpus: number | null): void {
    const { at, cpu } = this.#last();
    // A moment after the start, since the mark that begins a meter ends no interval.
    if (rss !== null) this.#add({ at: at + 0.001, rss, cpu, cpus: cpus ?? -1 });
  }

  /**
   * Adds a reading of the tree. A total below the one before leaves the total as it was: a child has ended and was not waited for, or just
   * not yet when its parent was read. Its time then comes later, and is spread over all the time since, not over the last interval.
   */
  sample(rss: number, cpu: number, now: number): void {
    const before = this.#last();
    const at = Math.max(now, before.at);
    const seconds = at - this.#reached.at;
    const known = cpu >= before.cpu && seconds >= shortestSeconds;
    this.#add({
      at,
      rss,
      cpu: Math.max(cpu, before.cpu),
      cpus: known ? (cpu - this.#reached.cpu) / seconds : -1,
    });
    if (cpu >= before.cpu) this.#reached = { at, cpu };
  }

  /** By another witness it has had as much at least. */
  atLeast(rss: number): void {
    if (rss > (this.peakRss ?? -1)) this.#add({ ...this.#last(), rss, cpus: -1 });
  }

  /** The process ended; `wait4` says `cpu` seconds in all (-1: it says nothing), with `maxRss` bytes its largest process. */
  end(maxRss: number, cpu: number, now: number): void {
    const before = this.#last();
    this.maxRss = maxRss;
    this.#add({ at: Math.max(now, before.at), rss: -1, cpu: Math.max(cpu, before.cpu), cpus: -1 });
  }

  /** The marks in seconds before now, oldest first. */
  aged(now: number): Mark[] {
    return this.#marks.map((mark) => ({ ...mark, at: Math.max(0, now - mark.at) }));
  }

  #most(what: 'rss' | 'cpus'): number | null {
    const most = this.#marks.reduce((sofar, mark) => Math.max(sofar, mark[what]), -1);
    return most < 0 ? null : most;
  }

  #last(): Mark {
    return this.#marks.at(-1) ?? { at: 0, rss: -1, cpu: 0, cpus: -1 };
  }

  #add(mark: Mark): void {
    if (this.#marks.length >= MAX_MARKS) this.#marks = halved(this.#marks);
    this.#marks.push(mark);
  }
}

/**
 * Half as many marks: the first stays, and of each four after it the first and the last, with the most of all four. So an attempt that had
 * one of the samples has a mark with at least as much: within it, or just after it.
 */
export const halved = (marks: readonly Mark[]): Mark[] => {
  const kept = marks.slice(0, 1);
  for (let i = 1; i < marks.length; i += 4) {
    const group = marks.slice(i, i + 4);
    const [first, ...others] = group;
    const last = others.at(-1);
    if (first === undefined) break;
    const rss = Math.max(...group.map((mark) => mark.rss));
    kept.push({ ...first, rss });
    if (last !== undefined) kept.push({ ...last, rss, cpus: Math.max(...others.map(({ cpus }) => cpus)) });
  }
  return kept;
};
