import type { Clock } from '../client/client-place.ts';
import { visibleText } from '../units/visible-text.ts';
import type { Output } from './output.ts';

/** A wait this short needs no word. */
const quietMs = 2000;

/** Says once why a run waits where no status line can: a program that reads our errors would else see nothing at all. */
export class WaitNotice {
  readonly #err: Output;
  readonly #clock: Clock;
  #reason: string | null = null;
  #begun: AbortController | null = null;

  constructor(err: Output, clock: Clock) {
    this.#err = err;
    this.#clock = clock;
  }

  /** The run waits for this reason; null: it does not wait. */
  update(run: number, reason: string | null): void {
    this.#reason = reason;
    if (reason === null) this.#begun?.abort();
    else if (this.#begun === null && !this.#err.isTTY) void this.#sayLater(run);
  }

  async #sayLater(run: number): Promise<void> {
    this.#begun = new AbortController();
    await this.#clock.sleep(quietMs, this.#begun.signal);
    if (this.#begun.signal.aborted || this.#reason === null) return;
    await this.#err.write(`orca: run ${run} waits: ${visibleText(this.#reason)}\n`);
  }
}
