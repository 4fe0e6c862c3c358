import type { RunId } from '../units/brands.ts';

export type Listener = (run: RunId, final: boolean) => void;

/** Who wants to hear of which run's changes. A change is told only after it is stored. */
export class Changes {
  readonly #finals = new Set<(run: RunId) => void>();
  readonly #byRun = new Map<RunId, Set<Listener>>();

  listen(runs: readonly RunId[], listener: Listener): () => void {
    for (const run of runs) {
      const there = this.#byRun.get(run);
      if (there === undefined) this.#byRun.set(run, new Set([listener]));
      else there.add(listener);
    }
    return () => {
      for (const run of runs) {
        const there = this.#byRun.get(run);
        there?.delete(listener);
        if (there?.size === 0) this.#byRun.delete(run);
      }
    };
  }

  /** Hears of every run's end. */
  listenFinal(listener: (run: RunId) => void): () => void {
    this.#finals.add(listener);
    return () => this.#finals.delete(listener);
  }

  tell(run: RunId, final: boolean): void {
    if (final) for (const listener of this.#finals) listener(run);
    for (const listener of this.#byRun.get(run) ?? []) listener(run, final);
  }

  /** Runs that somebody listens to. */
  get heard(): Iterable<RunId> {
    return this.#byRun.keys();
  }
}
