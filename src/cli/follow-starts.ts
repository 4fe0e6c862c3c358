import { OrcaError } from '../errors/orca-error.ts';
import { AnsweredError } from '../client/answered-error.ts';
import type { DaemonClient } from '../client/daemon-client.ts';
import { readLog } from '../client/read-log.ts';
import type { RunJson } from '../wire/api.ts';

type Stream = 'stdout' | 'stderr';

/** Passes on a stream of every start, one start after the other, as the run's starts become known. */
export class FollowStarts {
  readonly #client: DaemonClient;
  readonly #stream: Stream;
  readonly #write: (chunk: Buffer) => Promise<boolean>;
  readonly #signal: AbortSignal;
  #seen = 0;
  #all: Promise<void> = Promise.resolve();

  constructor(client: DaemonClient, stream: Stream, write: (chunk: Buffer) => Promise<boolean>, signal: AbortSignal) {
    this.#client = client;
    this.#stream = stream;
    this.#write = write;
    this.#signal = signal;
  }

  /** Called with every news of the run. */
  update(run: RunJson): void {
    for (const { start, state } of run.starts) {
      if (start <= this.#seen || state === 'void') continue;
      this.#seen = start;
      this.#all = this.#all.then(() => this.#follow(run.id, start));
      // It is heard of in `done`.
      this.#all.catch(() => undefined);
    }
  }

  /** When everything of the starts seen so far has been passed on. */
  done(): Promise<void> {
    return this.#all;
  }

  async #follow(run: number, start: number): Promise<void> {
    await passLog(this.#client, { run, stream: this.#stream, start, follow: true }, this.#write, this.#signal);
  }
}

/** Hands a log over piece by piece until it ends, or nobody reads, or the signal is aborted. */
export async function passLog(
  client: DaemonClient,
  request: { run: number; stream: Stream; start: number; follow: boolean; patient?: boolean },
  write: (chunk: Buffer) => Promise<boolean>,
  signal: AbortSignal,
): Promise<void> {
  try {
    for await (const chunk of readLog(client, { ...request, tail: null }, signal)) {
      if (!(await write(chunk))) return;
    }
  } catch (cause) {
    if (signal.aborted) return;
    // A start that turned out void has no log.
    if (cause instanceof AnsweredError && cause.code === 'start-unknown') return;
    throw cause instanceof Error ? cause : new OrcaError('unexpected', { why: String(cause) });
  }
}
