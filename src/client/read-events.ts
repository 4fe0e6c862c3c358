import type { EventJson } from '../wire/api.ts';
import { patienceMs } from './client-place.ts';
import { ConnectionLost } from './connection-lost.ts';
import type { DaemonClient } from './daemon-client.ts';
import { mayPass, pauseAfter } from './passing.ts';
import { readSse } from './read-sse.ts';

export interface EventsRequest {
  /** Events with a higher number; null: from the moment `at` on, or all. */
  readonly since: number | null;
  readonly at: number | null;
  readonly runs: readonly number[];
  readonly groups: readonly number[];
  readonly kinds: readonly string[];
  /** Only those of no run: of the queue and the daemon. */
  readonly queue?: boolean;
  readonly follow: boolean;
}

export type EventNews =
  /** First of all: after which event it begins, the last one that there is, and up to which number some are gone. */
  | { readonly type: 'begin'; readonly since: number; readonly last: number; readonly gone: number }
  | { readonly type: 'event'; readonly event: EventJson }
  /** All up to this number are told, or left out by the filter. */
  | { readonly type: 'passed'; readonly upTo: number };

/** The events asked for, over restarts of the daemon: none is told twice, and none is lost. Ends when the signal is aborted. */
export async function* readEvents(
  client: DaemonClient,
  request: EventsRequest,
  signal: AbortSignal,
): AsyncGenerator<EventNews> {
  const { clock } = client.place;
  let since = request.since;
  let failing: number | null = null;
  let begun = false;
  for (;;) {
    try {
      // It beats every 15 s; so much silence means that the connection is dead.
      const answer = await client.open({ method: 'GET', path: pathOf(request, since), idleMs: 40_000, signal });
      failing = null;
      since ??= Number(answer.headers.get('orca-events-since') ?? 0);
      const last = Number(answer.headers.get('orca-events-last') ?? 0);
      if (!begun) yield { type: 'begin', since, last, gone: Number(answer.headers.get('orca-events-gone') ?? 0) };
      begun = true;
      for await (const { id, data } of readSse(answer.body)) {
        if (id !== null) since = Number(id);
        if (data !== null) yield { type: 'event', event: JSON.parse(data) as EventJson };
        else yield { type: 'passed', upTo: since };
      }
      if (!request.follow) return;
      throw new ConnectionLost('the events ended');
    } catch (cause) {
      if (signal.aborted) return;
      if (!mayPass(cause) || !(begun || cause instanceof ConnectionLost)) throw cause;
      failing ??= clock.now();
      if (clock.now() - failing >= patienceMs) throw cause;
      await clock.sleep(pauseAfter(cause), signal);
    }
  }
}

const pathOf = ({ at, runs, groups, kinds, queue = false, follow }: EventsRequest, since: number | null): string => {
  const query = new URLSearchParams();
  for (const run of runs) query.append('run', String(run));
  for (const group of groups) query.append('group', String(group));
  for (const kind of kinds) query.append('kind', kind);
  if (since !== null) query.set('since', String(since));
  else if (at !== null) query.set('at', String(at));
  if (queue) query.set('queue', '1');
  if (!follow) query.set('follow', '0');
  return `/api/events?${query.toString()}`;
};
