import type { DaemonClient } from '../client/daemon-client.ts';
import { visibleText } from '../units/visible-text.ts';
import type { RunJson } from '../wire/api.ts';
import type { Context } from './context.ts';
import { say } from './say.ts';

/** How long a run that was told twice to end is still waited for. */
const lastPatienceMs = 10_000;

/**
 * What signals mean to `orca run`. Interrupt and TERM stop the run and wait for its end; a second one skips its grace. A hang-up lets go of
 * the run and leaves. Before anything is submitted each of them just leaves; so they do from a run that is not, or no longer, its own.
 */
export class RunSignals implements Disposable {
  readonly #context: Context;
  readonly #stops: readonly (() => void)[];
  readonly #left = new AbortController();
  readonly #over = new AbortController();
  #run: { client: DaemonClient; id: number; owner: string | null } | null = null;
  #submitting = false;
  /** What was asked for before the run had a number. */
  #wanted: string | null = null;
  #kills = 0;
  /** Until the last request to end it is answered. */
  #sending: Promise<unknown> = Promise.resolve();
  hungUp = false;
  /** Left the run, which others asked for too, to itself. */
  letGo = false;
  /** Why the run cannot be seen to end, though it is over. */
  #unstored: string | null = null;
  /** The run's end was not seen: it did not come though it was told twice to, or it cannot be stored. */
  gaveUp = false;

  constructor(context: Context) {
    this.#context = context;
    this.#stops = [
      context.onSignal('SIGINT', () => this.kill(`Interrupt of orca run (pid ${context.pid})`)),
      context.onSignal('SIGTERM', () => this.kill(`TERM of orca run (pid ${context.pid})`)),
      context.onSignal('SIGHUP', () => this.#hangUp()),
    ];
  }

  get interrupted(): boolean {
    return this.#kills > 0;
  }

  /** Aborted when this process is to leave. */
  get left(): AbortSignal {
    return this.#left.signal;
  }

  /** From here on there may be a run: a first signal waits for its number. */
  submitting(): void {
    this.#submitting = true;
  }

  /** From here on signals are about this run; without an owner it is another one's, and they end only our watching. */
  attach(client: DaemonClient, id: number, owner: string | null): void {
    this.#run = { client, id, owner };
    if (this.hungUp) this.#detach();
    else if (this.#wanted !== null) this.#send(this.#wanted, false);
  }

  /** What the run's last news says: one that is over while its end cannot be stored has nothing left to be told. */
  update({ end_unstored: over, reason }: Pick<RunJson, 'end_unstored' | 'reason'>): void {
    this.#unstored = over ? (reason ?? 'its end cannot be stored yet.') : null;
    if (this.interrupted && this.#run !== null) void this.#giveUpUnstored(this.#run.id);
  }

  kill(by: string): void {
    this.#kills += 1;
    this.#wanted ??= by;
    if (this.#run?.owner === null) void this.#leaveToItself(this.#run.id, 'no longer waiting');
    else if (this.#run !== null) {
      const { id } = this.#run;
      this.#send(by, this.#kills > 1);
      void this.#giveUpUnstored(id);
      if (this.#kills === 2) void this.#giveUpLater(this.#run.id);
    }
    // Left without a number, the run is stopped because nobody waits for it.
    else if (!this.#submitting || this.#kills > 1) this.#left.abort();
  }

  [Symbol.dispose](): void {
    this.#over.abort();
    for (const stop of this.#stops) stop();
  }

  #send(by: string, now: boolean): void {
    if (this.#run === null) return;
    const { client, id, owner } = this.#run;
    if (owner === null) return void this.#leaveToItself(id, 'no longer waiting');
    this.#sending = client.kill({ runs: [id], by, now, owner }).then(
      ([answer]) => {
        if (answer?.result !== 'goes-on') return;
        return this.#leaveToItself(id, 'another client asked for this run by its key');
      },
      (cause: unknown) => {
        if (this.#unstored === null) this.#fail(cause);
      },
    );
  }

  async #leaveToItself(id: number, why: string): Promise<void> {
    if (this.letGo) return;
    this.letGo = true;
    await say(
      this.#context,
      `${why}; run ${id} goes on. \`orca wait ${id}\` waits for it, \`orca kill ${id}\` ends it.`,
    );
    this.#left.abort();
  }

  async #giveUpUnstored(id: number): Promise<void> {
    // It stops further starts.
    await this.#sending;
    const why = this.#unstored;
    if (why === null || this.gaveUp || this.#over.signal.aborted || this.#left.signal.aborted) return;
    this.gaveUp = true;
    await say(this.#context, `run ${id} is over, but ${visibleText(why)} \`orca wait ${id}\` waits for that.`);
    this.#left.abort();
  }

  /** Its end may be one that cannot be stored; then nobody should sit here without being able to leave. */
  async #giveUpLater(id: number): Promise<void> {
    await this.#context.clock.sleep(lastPatienceMs, this.#over.signal);
    if (this.gaveUp || this.#over.signal.aborted || this.#left.signal.aborted) return;
    this.gaveUp = true;
    const passed = `${lastPatienceMs / 1000} s after the second interrupt run ${id} is not over`;
    await say(this.#context, `${passed}. \`orca wait ${id}\` waits for it.`);
    this.#left.abort();
  }

  #hangUp(): void {
    this.hungUp = true;
    if (this.#run !== null) this.#detach();
    else if (!this.#submitting) this.#left.abort();
  }

  #detach(): void {
    const run = this.#run;
    if (run === null) return;
    const detached = run.owner === null ? Promise.resolve() : run.client.detach(run.id, run.owner);
    detached
      .then(() => say(this.#context, `hung up; run ${run.id} goes on. \`orca wait ${run.id}\` waits for it.`))
      .catch((cause: unknown) => this.#fail(cause))
      .finally(() => this.#left.abort());
  }

  #fail(cause: unknown): void {
    void say(this.#context, cause instanceof Error ? cause.message : String(cause));
  }
}
