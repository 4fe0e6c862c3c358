import { millis, type RunId } from '../units/brands.ts';
import type { Timers } from './owners.ts';

/** Whoever waits for the end of a run waits no longer for its outputs. */
const mostMs = millis(30_000);

/** The first tries to bring outputs of runs into their logs, as long as they go on and may be waited for. */
export class FirstTries {
  readonly #going = new Map<RunId, Promise<void>>();

  /** Of one run the last one that is added is over last. */
  add(run: RunId, work: Promise<void>, timers: Timers): void {
    const first = new Promise<void>((resolve) => {
      const cancel = timers.set(mostMs, resolve);
      void work.finally(() => {
        cancel();
        resolve();
      });
    }).finally(() => {
      if (this.#going.get(run) === first) this.#going.delete(run);
    });
    this.#going.set(run, first);
  }

  /** Null: there is none to wait for. */
  of(run: RunId): Promise<void> | null {
    return this.#going.get(run) ?? null;
  }
}
