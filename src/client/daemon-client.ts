import { OrcaError } from '../errors/orca-error.ts';
import { apiNumber } from '../wire/api.ts';
import type {
  ChooseRequest,
  DaemonJson,
  DiskUseJson,
  DownRequest,
  ForgetAnswer,
  GcAnswer,
  GcRequest,
  GroupJson,
  KillAnswer,
  KillRequest,
  MachineJson,
  PauseAnswer,
  PauseRequest,
  ResumeRequest,
  RetryRunsAnswer,
  RetryRunsRequest,
  RunJson,
  RunSummaryJson,
  SettingJson,
  SubmitAnswer,
  SubmitRequest,
} from '../wire/api.ts';
import { AnsweredError, parseErrorJson } from './answered-error.ts';
import { bringUp } from './bring-up.ts';
import { patienceMs, type ClientPlace } from './client-place.ts';
import { ConnectionLost } from './connection-lost.ts';
import { readDaemonFile } from './daemon-file.ts';
import type { HttpAnswer } from './http-answer.ts';
import { httpRequest, type HttpRequest } from './http-request.ts';
import { daemonGone, look, type Looked } from './look.ts';
import { programHeader } from './program.ts';

/** How long an answer may take to begin. A batch of thousands waits for the disk, so this is far over the usual 10 ms. */
const answerPatienceMs = 30_000;
/** What may take long is asked after so often. */
const askAfterMs = 30_000;
/** The daemon itself gives a database that does not answer 10 s. */
const storePatienceMs = 15_000;

export interface ListFilter {
  readonly states: readonly string[];
  readonly limit: number;
  /** Only runs with a lower number. */
  readonly before?: number;
  /** Only runs that bear one of these. */
  readonly tags?: readonly string[];
  readonly group?: number;
  readonly key?: string;
  readonly name?: string;
}

/**
 * The daemon of one state folder, started when it is needed. Every request here may safely be sent twice (submissions carry a
 * token), so each is tried again over a restart of the daemon, for up to 35 s.
 */
export class DaemonClient {
  readonly place: ClientPlace;

  constructor(place: ClientPlace) {
    this.place = place;
  }

  daemon(): Promise<DaemonJson> {
    return this.#json<DaemonJson>('GET', '/api/daemon');
  }
  up(): Promise<DaemonJson> {
    return this.#json<DaemonJson>('POST', '/api/daemon/up');
  }
  /** With `drain` it answers when the last running run has ended, however long that takes; an aborted signal ends it with ConnectionLost. */
  down(request: DownRequest, signal?: AbortSignal): Promise<DaemonJson> {
    return this.#json<DaemonJson>(
      'POST',
      '/api/daemon/down',
      request,
      request.drain === true ? null : answerPatienceMs,
      signal,
    );
  }
  restart(): Promise<DaemonJson> {
    return this.#json<DaemonJson>('POST', '/api/daemon/restart');
  }
  submit(request: SubmitRequest): Promise<SubmitAnswer> {
    return this.#json<SubmitAnswer>('POST', '/api/runs', request);
  }
  run(id: number): Promise<RunJson> {
    return this.#json<RunJson>('GET', `/api/runs/${id}`);
  }
  group(id: number): Promise<GroupJson> {
    return this.#json<GroupJson>('GET', `/api/groups/${id}`);
  }
  async runs({ states, limit, tags = [], ...only }: ListFilter): Promise<readonly RunSummaryJson[]> {
    const query = new URLSearchParams(states.map((state): [string, string] => ['state', state]));
    query.set('limit', String(limit));
    for (const tag of tags) query.append('tag', tag);
    for (const [name, value] of Object.entries(only)) if (value !== undefined) query.set(name, String(value));
    const answer = await this.#json<{ runs: readonly RunSummaryJson[] }>('GET', `/api/runs?${query.toString()}`);
    return answer.runs;
  }
  async kill(request: KillRequest): Promise<readonly KillAnswer[]> {
    const answer = await this.#json<{ runs: readonly KillAnswer[] }>('POST', '/api/kill', request);
    return answer.runs;
  }
  async choose(request: ChooseRequest): Promise<readonly number[]> {
    return (await this.#json<{ runs: readonly number[] }>('POST', '/api/choose', request)).runs;
  }
  /** With `drain` it answers when what runs of them has ended, however long that takes; an aborted signal ends it with ConnectionLost. */
  pause(request: PauseRequest, signal?: AbortSignal): Promise<PauseAnswer> {
    const idleMs = request.drain === true ? null : answerPatienceMs;
    return this.#json<PauseAnswer>('POST', '/api/pause', request, idleMs, signal);
  }
  resume(request: ResumeRequest): Promise<PauseAnswer> {
    return this.#json<PauseAnswer>('POST', '/api/resume', request);
  }
  /** Answers when all is deleted, however long that takes. */
  gc(request: GcRequest): Promise<GcAnswer> {
    return this.#json<GcAnswer>('POST', '/api/gc', request, null);
  }
  diskUse(): Promise<DiskUseJson> {
    return this.#json<DiskUseJson>('GET', '/api/du', undefined, null);
  }
  forget(id: number): Promise<ForgetAnswer> {
    return this.#json<ForgetAnswer>('POST', `/api/runs/${id}/forget`);
  }
  retry(request: RetryRunsRequest): Promise<RetryRunsAnswer> {
    return this.#json<RetryRunsAnswer>('POST', '/api/retry', request);
  }
  async detach(id: number, owner: string): Promise<void> {
    await this.#json('POST', `/api/runs/${id}/detach`, { owner });
  }
  settings(): Promise<readonly SettingJson[]> {
    return this.#json<readonly SettingJson[]>('GET', '/api/config');
  }

  /** One try, without starting a daemon: null when none answers. */
  peek(): Promise<DaemonJson | null> {
    return this.#peekAt<DaemonJson>('/api/daemon');
  }
  /** Without starting a daemon; waits some seconds for one that holds the lock. */
  look(): Promise<Looked<DaemonJson>> {
    return look(this.place, () => this.peek());
  }
  /** The same. */
  lookAtMachine(): Promise<Looked<MachineJson>> {
    return look(this.place, () => this.#peekAt<MachineJson>('/api/machine'));
  }

  async #peekAt<Answer>(path: string): Promise<Answer | null> {
    try {
      return await this.#text<Answer>(await this.#send({ method: 'GET', path, idleMs: 5000 }), path);
    } catch (cause) {
      if (cause instanceof ConnectionLost) return null;
      throw cause;
    }
  }

  /** Has the daemon that runs look into its store, once: what it says is wrong is thrown; false when none answers. */
  async peekStore(): Promise<boolean> {
    try {
      await this.#text(await this.#send({ method: 'GET', path: '/api/runs?limit=1', idleMs: storePatienceMs }));
      return true;
    } catch (cause) {
      if (cause instanceof ConnectionLost) return false;
      throw cause;
    }
  }

  /** An answer whose body is read as it comes. A body that breaks off throws ConnectionLost; the reader decides how to go on. */
  open(request: HttpRequest): Promise<HttpAnswer> {
    return this.#overRestarts(() => this.#send(request), request.signal);
  }

  #json<Answer>(
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
    idleMs: number | null = answerPatienceMs,
    signal?: AbortSignal,
  ): Promise<Answer> {
    const request = { method, path, idleMs, ...(body === undefined ? {} : { body }), ...(signal && { signal }) };
    return this.#overRestarts(async () => this.#text<Answer>(await this.#send(request), path), signal);
  }

  async #overRestarts<Answer>(attempt: () => Promise<Answer>, signal?: AbortSignal): Promise<Answer> {
    const { clock } = this.place;
    let deadline: number | null = null;
    for (;;) {
      try {
        return await attempt();
      } catch (cause) {
        if (!(cause instanceof ConnectionLost) || signal?.aborted === true) throw cause;
        deadline ??= clock.now() + patienceMs;
        if (clock.now() >= deadline) {
          throw daemonGone(this.place.state, patienceMs / 1000, cause);
        }
        await bringUp(this.place, deadline, cause, signal);
      }
    }
  }

  async #send(request: HttpRequest): Promise<HttpAnswer> {
    const file = readDaemonFile(this.place.state);
    if (file === null) throw new ConnectionLost('none is running');
    const headers = { 'orca-api': String(apiNumber), 'orca-program': programHeader(this.place.program) };
    const isThere = async (): Promise<boolean> => (await this.peek()) !== null;
    const answer = await httpRequest(file.socket, { ...request, headers, askAfter: { ms: askAfterMs, isThere } });
    if (answer.status < 400) return answer;
    const told = parseErrorJson(await textOf(answer));
    // It hands over to another program; the next one answers.
    if (told === null ? answer.status === 503 : told.error.code === 'daemon-closing')
      throw new ConnectionLost('it is being replaced');
    if (told !== null) throw new AnsweredError(told);
    throw new OrcaError('answer-unreadable', { path: request.path, why: `status ${answer.status}` });
  }

  async #text<Answer>(answer: HttpAnswer, path = '/api/daemon'): Promise<Answer> {
    const text = await textOf(answer);
    try {
      // The shapes of one API number are fixed, and a daemon of another one refuses the request.
      return JSON.parse(text) as Answer;
    } catch (cause) {
      throw new OrcaError('answer-unreadable', { path, why: 'it is not JSON' }, cause);
    }
  }
}

async function textOf(answer: HttpAnswer): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer.body) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
