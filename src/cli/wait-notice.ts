import type { Clock } from '../client/client-place.ts';
import { visibleText } from '../units/visible-text.ts';
import type { RunSummaryJson } from '../wire/api.ts';
import type { Output } from './output.ts';

/** A wait this short needs no word. */
const quietMs = 2000;

type Waiting = Pick<RunSummaryJson, 'id' | 'state' | 'reason'>;

/** `orca: run 12 waits: all 2 cpus are taken`; one that is past its queue waits for something else. Null: it waits for nothing. */
export function waitWords({ id, state, reason }: Waiting): string | null {
  if (reason === null) return null;
  return state === 'queued' ? `orca: run ${id} waits: ${reason}` : `orca: run ${id}: ${reason}`;
}

/**
 * Says once why a run waits to start, and once what there is to know of it afterwards (that it is over its limit, why it cannot end), where no status line can: a program that reads our errors would else
 * see nothing at all.
 */
export class WaitNotice {
  readonly #err: Output;
  readonly #clock: Clock;
  readonly #said = new Set<string>();
  #now: Waiting | null = null;
  #begun: AbortController | null = null;

  constructor(err: Output, clock: Clock) {
    this.#err = err;
    this.#clock = clock;
  }

  /** Called with every news of the run. */
  update(run: Waiting): void {
    const before = this.#now;
    this.#now = run;
    const since = before !== null && before.reason !== null && kindOf(before) === kindOf(run);
    if (run.reason === null || !since) this.#begun?.abort();
    if (run.reason === null || since || this.#err.isTTY || this.#said.has(kindOf(run))) return;
    void this.#sayLater(kindOf(run));
  }

  async #sayLater(kind: string): Promise<void> {
    const begun = new AbortController();
    this.#begun = begun;
    await this.#clock.sleep(quietMs, begun.signal);
    const words = this.#now === null ? null : waitWords(this.#now);
    if (begun.signal.aborted || words === null) return;
    this.#said.add(kind);
    await this.#err.write(`${visibleText(words)}\n`);
  }
}

/** A queue moves, so its reason is said once, whatever it is. Of one past it each kind is: what it waits for, without the figures. */
const kindOf = ({ state, reason }: Waiting): string =>
  state === 'queued' ? 'start' : `then ${reason?.split(/[:;\d]/)[0] ?? ''}`;
