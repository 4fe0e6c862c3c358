import type { KillAnswer, RunJson, SubmitAnswer, SubmitRequest, WaitEvent } from '../../../src/wire/api.ts';
import { isFinal } from '../../../src/runs/transitions.ts';
import { ask, linesOf, textOf, type Answer } from '../../e2e/support/http.ts';
import { until } from '../../e2e/support/until.ts';

const patienceMs = 90_000;
const watchMs = 600_000;

/**
 * Speaks with the daemon of a state folder over its socket, and asks again when that daemon died and another came. A start of the
 * command line for every run would cost the machine a second each.
 */
export class PatientClient {
  readonly #state: string;

  constructor(state: string) {
    this.#state = state;
  }

  async submit(request: SubmitRequest): Promise<number> {
    const [run] = (await this.#json<SubmitAnswer>('/api/runs', request)).runs;
    if (run === undefined) throw new Error('No run was made');
    return run;
  }

  async kill(run: number, by: string): Promise<void> {
    await this.#json<{ runs: KillAnswer[] }>('/api/kill', { runs: [run], by });
  }

  /** Tells of every change of the runs until all of them are over. */
  async watch(runs: readonly number[], hear: (run: RunJson) => void): Promise<void> {
    const pending = new Set(runs);
    const take = async (answer: Answer): Promise<void> => {
      for await (const line of linesOf(answer)) {
        const event = JSON.parse(line) as WaitEvent;
        if (event.type !== 'run') continue;
        if (isFinal(event.run.state)) pending.delete(event.run.id);
        hear(event.run);
      }
    };
    const look = async (): Promise<true | null> => {
      const answer = await this.#answer('/api/wait', { runs: [...pending], detail: 'full' });
      if (answer !== null) await orNull(take(answer));
      return pending.size === 0 ? true : null;
    };
    if (pending.size > 0) await until(look, 'all runs are over', watchMs);
  }

  #json<T>(path: string, body: unknown): Promise<T> {
    const read = async (): Promise<{ value: T } | null> => {
      const answer = await this.#answer(path, body);
      const text = answer === null ? null : await orNull(textOf(answer));
      return text === null ? null : { value: JSON.parse(text) as T };
    };
    return until(read, `the daemon answers ${path}`, patienceMs).then(({ value }) => value);
  }

  /** Null when no daemon is there, or one that is about to leave. */
  async #answer(path: string, body: unknown): Promise<Answer | null> {
    const answer = await orNull(ask(this.#state, 'POST', path, { body }));
    if (answer === null || answer.status === 200) return answer;
    const text = await orNull(textOf(answer));
    if (answer.status === 503) return null;
    throw new Error(`${path}: ${answer.status} ${text ?? ''}`);
  }
}

const broken = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ECONNABORTED']);

/** Null when the other side went away meanwhile. */
const orNull = async <T>(promise: Promise<T>): Promise<T | null> => {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof Error && 'code' in error && broken.has(String(error.code))) return null;
    throw error;
  }
};
