import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { eventsSince } from '../../store/events.ts';
import { millis } from '../../units/brands.ts';
import type { Served } from '../app.ts';
import { sinceSchema } from '../schemas.ts';

const batch = 500;
const beatEvery = 15_000;

/** Server-sent events, from the one after `since` (or `Last-Event-ID`) on, for as long as the client listens. */
export const eventRoutes = ({ scheduler }: Served): Hono =>
  new Hono().get('/', (context) => {
    let since = sinceSchema.parse(context.req.header('last-event-id') ?? context.req.query('since'));
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
          const events = await eventsSince(scheduler.store.read, since, batch);
          for (const event of events) {
            since = event.id;
            await stream.writeSSE({ id: String(event.id), event: event.kind, data: JSON.stringify(event) });
          }
          if (events.length === batch) continue;
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
