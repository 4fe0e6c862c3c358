import { Hono, type Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import { eventsBefore, eventsBetween, lastEventId, type StoredEvent } from '../../store/events.ts';
import { prunedUpTo } from '../../store/prune-events.ts';
import { briefStates } from '../../store/brief-runs.ts';
import { unknownGroup } from '../../store/chosen-runs.ts';
import type { Db } from '../../store/schema.ts';
import { eventKinds } from '../../runs/event-kinds.ts';
import { millis, runId, type RunId } from '../../units/brands.ts';
import { visibleText } from '../../units/visible-text.ts';
import { OrcaError } from '../../errors/orca-error.ts';
import type { Served } from '../app.ts';
import { eventsSchema, sinceSchema } from '../schemas.ts';

const batch = 500;
const beatEvery = 15_000;

/**
 * Server-sent events, from the one after `since` (or `Last-Event-ID`) on, for as long as the client listens, or (`follow=0`) up to the last.
 * Where those that the filter leaves out were passed, the number alone is sent: a client that comes back begins there.
 */
export const eventRoutes = ({ scheduler }: Served): Hono =>
  new Hono().get('/', async (context) => {
    const db = scheduler.store.read;
    const { at, follow, ...only } = queryOf(context);
    const asked = context.req.header('last-event-id') ?? context.req.query('since');
    let since = at === undefined || asked !== undefined ? sinceSchema.parse(asked) : await eventsBefore(db, millis(at));
    const runs = only.run.map(runId);
    await checkKnown(db, only, runs);
    const filter = {
      runs,
      groups: only.group,
      kinds: only.kind,
      ofNoRun: only.queue === '1',
    };
    // A client that is cut off before the first one begins here again.
    context.header('orca-events-since', String(since));
    context.header('orca-events-last', String(await lastEventId(db)));
    context.header('orca-events-gone', String(await prunedUpTo(db)));
    return streamSSE(context, async (stream) => {
      let open = true;
      let wake: (() => void) | null = null;
      const stop = scheduler.eventsWritten.listen(() => wake?.());
      stream.onAbort(() => {
        open = false;
        wake?.();
      });
      try {
        while (open) {
          const woken = new Promise<void>((resolve) => (wake = resolve));
          const last = await lastEventId(db);
          const events = await eventsBetween(db, { since, last, limit: batch }, filter);
          const whole = events.length < batch;
          const reached = whole ? Math.max(since, last) : (events.at(-1)?.id ?? since);
          const passed = reached === (events.at(-1)?.id ?? since) ? '' : `id: ${reached}\n\n`;
          since = reached;
          const text = events.map(eventText).join('') + passed;
          if (text !== '') await stream.write(text);
          if (!whole) continue;
          if (follow === '0') return;
          let quiet = false;
          const cancel = scheduler.host.timers.set(millis(beatEvery), () => {
            quiet = true;
            wake?.();
          });
          await woken;
          cancel();
          if (open && quiet) await stream.write(': beat\n\n');
        }
      } finally {
        stop();
      }
    });
  });

/** Nothing would ever be told of what is mistyped, and whoever follows would wait for it for ever. */
const checkKnown = async (
  db: Db,
  { group, kind }: Pick<EventsQuery, 'group' | 'kind'>,
  runs: readonly RunId[],
): Promise<void> => {
  const strange = kind.find((word) => !eventKinds.some((known) => known === word));
  if (strange !== undefined)
    throw new OrcaError('event-kind-unknown', { kind: visibleText(strange), kinds: eventKinds.join(', ') });
  const unknownGroupNumber = await unknownGroup(db, group);
  if (unknownGroupNumber !== null) throw new OrcaError('group-unknown', { group: unknownGroupNumber });
  const states = await briefStates(db, runs);
  const unknownRun = runs.find((run) => !states.has(run));
  if (unknownRun !== undefined) throw new OrcaError('run-unknown', { run: unknownRun });
};

type EventsQuery = ReturnType<typeof eventsSchema.parse>;

const queryOf = (context: Context): EventsQuery => {
  const { at, follow, queue } = context.req.query();
  const many = (name: string): string[] => context.req.queries(name) ?? [];
  return eventsSchema.parse({ at, follow, queue, run: many('run'), group: many('group'), kind: many('kind') });
};

const eventText = (event: StoredEvent): string =>
  `id: ${event.id}\nevent: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`;
