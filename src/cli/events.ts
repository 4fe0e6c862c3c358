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
  /** Null: where it begins is not known yet. */
  let upTo = request.since;
  for await (const news of readEvents(client, request, left.signal)) {
    if (news.type === 'begin') {
      // A number that no event has yet is nowhere to go on from: the events up to it would be missed.
      upTo = Math.min(news.since, news.last);
      const ahead = aheadWords(news);
      if (ahead !== null) await say(context, ahead);
      const gone = goneWords(request, news.gone);
      if (gone !== null) await say(context, gone);
    } else if (news.type === 'passed') upTo = Math.max(upTo ?? 0, news.upTo);
    else {
      upTo = news.event.id;
      if (!(await print(context, news.event, options.json === true))) return exitStatus.ok;
    }
  }
  if (left.signal.aborted) {
    const from = upTo === null ? '' : ` --since ${upTo}`;
    await say(context, `no longer following; \`orca events --follow${from}\` goes on from here.`);
    return exitStatus.interrupted;
  }
  const last = upTo ?? 0;
  if (options.json === true) await printJson(context.out, { last });
  else await say(context, `the last event is ${last}; \`orca events --since ${last}\` goes on from here.`);
  return exitStatus.ok;
}

/** No event is from then on: only what comes is told. */
const farAhead = Number.MAX_SAFE_INTEGER;

/** The number is none of this store's: of another state folder, or mistyped. */
const aheadWords = ({ since, last }: { readonly since: number; readonly last: number }): string | null =>
  since <= last
    ? null
    : `there is no event ${since} yet: the last one is ${last}, and only what comes after ${since} is told`;

/** Some that were asked for are not there any more. */
export function goneWords({ since, at }: Pick<EventsRequest, 'since' | 'at'>, gone: number): string | null {
  // Those of a moment are asked for from the first that is there.
  if (gone === 0 || at !== null || (since ?? 0) >= gone) return null;
  return `events before ${gone + 1} are gone, but for those of runs that are not over`;
}

const print = (context: Context, event: EventJson, json: boolean): Promise<boolean> =>
  json ? printJson(context.out, event) : printLines(context.out, [eventLine(event)]);
