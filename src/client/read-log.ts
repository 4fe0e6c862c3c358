import { AnsweredError } from './answered-error.ts';
import { ConnectionLost } from './connection-lost.ts';
import { patienceMs } from './client-place.ts';
import type { DaemonClient } from './daemon-client.ts';
import { mayPass, pauseAfter } from './passing.ts';

export interface LogRequest {
  readonly run: number;
  readonly stream: 'stdout' | 'stderr';
  /** Null: the last one. */
  readonly start: number | null;
  /** The last so many lines only; null: all. */
  readonly tail: number | null;
  /** Only what was written since this moment, in epoch ms. */
  readonly sinceMs?: number | null;
  /** Hears after which moment all that comes was written. */
  readonly onAfter?: (ms: number) => void;
  /** Hears why the output waits in the stage, where it could not be brought into its log. */
  readonly onWaiting?: (why: string) => void;
  /** Hears what the daemon says when it cannot be read now, each time before it is asked again. */
  readonly onTrouble?: (words: string) => Promise<void>;
  /** Until the start is over and all is read. */
  readonly follow: boolean;
  /** The run is this client's own: an error that may pass is no reason to give up; left out: only when following. */
  readonly patient?: boolean;
}

/**
 * The bytes of one log, as they are. Over a restart of the daemon it goes on at the byte where it was, in the start where it was, so nothing is
 * passed on twice. The consumer's pace is the sender's.
 */
export async function* readLog(
  client: DaemonClient,
  request: LogRequest,
  signal?: AbortSignal,
): AsyncGenerator<Buffer> {
  let start = request.start;
  let offset: number | null = null;
  const { clock } = client.place;
  const patient = request.patient ?? request.follow;
  let failing: number | null = null;
  for (;;) {
    const query = new URLSearchParams({ stream: request.stream });
    if (start !== null) query.set('start', String(start));
    if (offset !== null) query.set('offset', String(offset));
    else if (request.tail !== null) query.set('tail', String(request.tail));
    else if (request.sinceMs != null) query.set('since_ms', String(request.sinceMs));
    if (request.follow) query.set('follow', '1');
    const path = `/api/runs/${request.run}/logs?${query.toString()}`;
    try {
      // A quiet command is no broken connection, so silence has no limit here: a daemon that dies closes the socket.
      const answer = await client.open({
        method: 'GET',
        path,
        idleMs: null,
        ...(signal === undefined ? {} : { signal }),
      });
      failing = null;
      const after = numberOr(answer.headers.get('orca-after'), null);
      if (after !== null) request.onAfter?.(after);
      const waiting = answer.headers.get('orca-waiting');
      if (waiting !== undefined) request.onWaiting?.(decodeURIComponent(waiting));
      start ??= numberOr(answer.headers.get('orca-start'), null);
      offset = numberOr(answer.headers.get('orca-offset'), offset ?? 0);
      for await (const chunk of answer.body) {
        offset += chunk.length;
        yield chunk;
      }
      // Some of it is gone from the log, or the start is over by now: the rest is asked for.
      if (answer.headers.get('orca-more') !== '1') return;
    } catch (cause) {
      if (!mayPass(cause) || signal?.aborted === true) throw cause;
      if (!patient && !(cause instanceof ConnectionLost)) throw cause;
      failing ??= clock.now();
      if (clock.now() - failing >= patienceMs) throw cause;
      if (cause instanceof AnsweredError) await request.onTrouble?.(cause.message);
      await clock.sleep(pauseAfter(cause), signal);
    }
  }
}

function numberOr<Other extends number | null>(text: string | undefined, other: Other): number | Other {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : other;
}
