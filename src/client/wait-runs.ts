import { OrcaError } from '../errors/orca-error.ts';
import type { RunJson, WaitEvent, WaitRequest } from '../wire/api.ts';
import { patienceMs } from './client-place.ts';
import { ConnectionLost } from './connection-lost.ts';
import type { DaemonClient } from './daemon-client.ts';
import { daemonGone } from './look.ts';
import { mayPass, pauseAfter } from './passing.ts';
import { readNdjson } from './read-ndjson.ts';

/** The daemon beats every 2 s; so much silence means that the connection is dead. Under the 10 s after which owned runs are stopped. */
const silenceMs = 8000;

/**
 * Reports the runs until all are final, over restarts of the daemon; the same state of a run may come again after one. Returns early
 * when the signal is aborted. Throws `daemon-gone` when nothing was heard for 35 s. `known`: the runs were accepted from this very client, so
 * an error at the first try is no reason to give up either.
 */
export async function waitRuns(
  client: DaemonClient,
  request: WaitRequest,
  onRun: (run: RunJson, event: number | null) => void,
  signal: AbortSignal,
  known = false,
): Promise<void> {
  const { clock } = client.place;
  let patient = known;
  let heard = clock.now();
  for (;;) {
    try {
      const body = request;
      const answer = await client.open({ method: 'POST', path: '/api/wait', body, idleMs: silenceMs, signal });
      for await (const event of readNdjson(answer.body)) {
        if (signal.aborted) return;
        heard = clock.now();
        patient = true;
        if (!isWaitEvent(event)) continue;
        if (event.type === 'end') return;
        if (event.type === 'stuck') throw new OrcaError('wait-stuck', { run: event.run, why: event.why });
        if (event.type === 'run') onRun(event.run, event.event ?? null);
      }
      throw new ConnectionLost('the wait ended in the middle');
    } catch (cause) {
      if (signal.aborted) return;
      if (!mayPass(cause) || !(patient || cause instanceof ConnectionLost)) throw cause;
      if (clock.now() - heard >= patienceMs) {
        throw daemonGone(client.place.state, patienceMs / 1000, cause);
      }
      await clock.sleep(pauseAfter(cause), signal);
    }
  }
}

/** Kinds of events that a later version adds are passed over. */
function isWaitEvent(value: unknown): value is WaitEvent {
  return typeof value === 'object' && value !== null && 'type' in value;
}
