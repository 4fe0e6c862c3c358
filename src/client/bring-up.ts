import { OrcaError } from '../errors/orca-error.ts';
import { join } from 'node:path';
import { AnsweredError } from './answered-error.ts';
import { patienceMs, startPatienceMs, type ClientPlace } from './client-place.ts';
import { ConnectionLost } from './connection-lost.ts';
import { readDaemonFile } from './daemon-file.ts';
import { httpRequest } from './http-request.ts';
import { insideRun } from './inside-run.ts';
import { daemonGone } from './look.ts';
import { checkRoom } from './room.ts';
import { thisStateHost } from './state-host.ts';
import { claimStarting, daemonError, startDaemon, type StartedDaemon } from './start-daemon.ts';

/**
 * Returns once a daemon answers, having started one when that was needed. Inside a run none is started, because it would end with the run: the
 * resident brings it back. Throws an OrcaError at `deadline` (ms since the epoch), or when a daemon that we started tells why it cannot.
 */
export async function bringUp(
  place: ClientPlace,
  deadline: number,
  lost: ConnectionLost,
  signal?: AbortSignal,
): Promise<void> {
  const { state, clock } = place;
  const run = insideRun(state, place.env);
  const starter = run === null ? new Starter(place) : null;
  try {
    for (let pause = 10; ; pause = Math.min(100, pause * 1.5)) {
      if (await daemonAnswers(state)) return;
      starter?.step();
      if (clock.now() >= deadline || signal?.aborted === true) {
        const seconds = Math.round(patienceMs / 1000);
        throw daemonGone(state, seconds, lost, run);
      }
      await clock.sleep(pause, signal);
    }
  } finally {
    starter?.release();
  }
}

/** Whether a daemon is there and serves. One that is handing over answers with 503, as it does at this path for no other reason. */
export async function daemonAnswers(state: string): Promise<boolean> {
  const file = readDaemonFile(state);
  if (file === null) return false;
  try {
    const answer = await httpRequest(file.socket, { method: 'GET', path: '/api/daemon', idleMs: 2000 });
    await answer.body.return(undefined);
    return answer.status !== 503;
  } catch (cause) {
    if (cause instanceof ConnectionLost) return false;
    throw cause;
  }
}

/** So many daemons in a row may be killed before it is told as the reason. */
const mostKilled = 5;
/** So many services of systemd may be gone without a word before a process is tried in their place. */
const mostServicesLost = 2;

/** Starts a daemon, watches it, and starts another when the first one left without a reason to stop. */
class Starter {
  readonly #place: ClientPlace;
  #claim: (() => void) | null = null;
  #daemon: StartedDaemon | null = null;
  #startedAt = 0;
  #notBefore = 0;
  #killed = 0;
  #servicesLost = 0;

  constructor(place: ClientPlace) {
    this.#place = place;
  }

  step(): void {
    const { state, clock } = this.#place;
    const now = clock.now();
    if (this.#daemon === null) {
      if (now < this.#notBefore) return;
      this.#claim ??= claimStarting(state, now);
      if (this.#claim === null) return;
      this.#startedAt = now;
      this.#daemon = startDaemon({ ...this.#place, servicesFailed: this.#servicesLost >= mostServicesLost });
      return;
    }
    const ended = this.#daemon.ended();
    if (ended === null) {
      if (now - this.#startedAt < startPatienceMs) return;
      throw this.#unstartable(`it did not answer within ${startPatienceMs / 1000} s`);
    }
    // 3: another daemon holds the lock, and will answer. 0: it left again, as after `orca down`.
    if (ended.status === 3 || ended.status === 0) {
      this.#daemon = null;
      this.#notBefore = now + 2000;
      return this.release();
    }
    // Whoever killed it, a person or the kernel, may leave the next one alone.
    if (ended.signal !== null && this.#killed < mostKilled) {
      this.#killed += 1;
      this.#daemon = null;
      return;
    }
    const told = daemonError(state, this.#startedAt);
    if (told !== null) throw new AnsweredError(told);
    // A service that left no word was killed, or left as one of status 3 or 0 does.
    if (ended.status === null && ended.signal === null) {
      this.#servicesLost += 1;
      this.#daemon = null;
      this.#notBefore = now + 1000;
      return this.release();
    }
    // On a full disk it cannot leave word.
    checkRoom(
      state,
      thisStateHost(() => undefined),
    );
    throw this.#unstartable(
      ended.signal === null ? `it ended with status ${ended.status}` : `it was ended by ${ended.signal}`,
    );
  }

  release(): void {
    this.#claim?.();
    this.#claim = null;
  }

  #unstartable(why: string): OrcaError {
    return new OrcaError('daemon-unstartable', { why, log: join(this.#place.state, 'daemon.log') });
  }
}
