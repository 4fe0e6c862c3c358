import { readEvents, type EventsRequest } from '../client/read-events.ts';
import type { EventJson } from '../wire/api.ts';
import { chosenOf } from './chosen.ts';
import type { Context } from './context.ts';
import { eventLine } from './event-words.ts';
import { exitStatus } from './exit-status.ts';
import { leaving } from './leaving.ts';
import { openClient } from './open-client.ts';
import { printJson, printLines, say } from './say.ts';
import { parseSince } from './since.ts';

export interface EventsOptions {
  readonly since?: string;
  readonly follow?: boolean;
  readonly run?: readonly string[];
  readonly kind?: readonly string[];
  readonly json?: boolean;
}

/** `orca events`: what happened, in its order; `--follow` goes on from now, or from where `--since` says. */
export async function events(context: Context, options: EventsOptions): Promise<number> {
  const client = openClient(context);
  const { runs, groups } = chosenOf(options.run ?? [], {});
  const since = options.since === undefined ? null : parseSince(options.since, context.clock.now());
  const request: EventsRequest = {
    since: since !== null && 'id' in since ? since.id : null,
    at: since !== null && 'at' in since ? since.at : options.follow === true && since === null ? farAhead : null,
    runs,
    groups,
    kinds: options.kind?.flatMap((word) => word.split(',')) ?? [],
    follow: options.follow === true,
  };
  using left = leaving(context);
  let upTo = request.since ?? 0;
  for await (const news of readEvents(client, request, left.signal)) {
    if (news.type === 'begin') {
      if (request.at === farAhead) upTo = news.last;
      const gone = goneWords(request, news.gone);
      if (gone !== null) await say(context, gone);
    } else if (news.type === 'passed') upTo = Math.max(upTo, news.upTo);
    else {
      upTo = news.event.id;
      if (!(await print(context, news.event, options.json === true))) return exitStatus.ok;
    }
  }
  if (left.signal.aborted) {
    await say(context, `no longer following; \`orca events --follow --since ${upTo}\` goes on from here.`);
    return exitStatus.interrupted;
  }
  if (options.json === true) await printJson(context.out, { last: upTo });
  else await say(context, `the last event is ${upTo}; \`orca events --since ${upTo}\` goes on from here.`);
  return exitStatus.ok;
}

/** No event is from then on: only what comes is told. */
const farAhead = Number.MAX_SAFE_INTEGER;

/** Some that were asked for are not there any more. */
export function goneWords({ since, at }: Pick<EventsRequest, 'since' | 'at'>, gone: number): string | null {
  // Those of a moment are asked for from the first that is there.
  if (gone === 0 || at !== null || (since ?? 0) >= gone) return null;
  return `events before ${gone + 1} are gone, but for those of runs that are not over`;
}

const print = (context: Context, event: EventJson, json: boolean): Promise<boolean> =>
  json ? printJson(context.out, event) : printLines(context.out, [eventLine(event)]);
