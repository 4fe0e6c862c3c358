import type { WaitEvent } from '../wire/api.ts';

/** A wait as lines of JSON, at its reader's pace, until `end`; `close` is called once, also when the reader leaves or `next` fails. */
export const eventLines = (next: () => Promise<WaitEvent[]>, close: () => void): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder();
  let closed = false;
  const told = async (): Promise<WaitEvent[]> => {
    try {
      return await next();
    } catch (error) {
      if (!closed) close();
      closed = true;
      throw error;
    }
  };
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        let events = await told();
        // A pull that enqueues nothing is not called again.
        while (events.length === 0 && !closed) events = await told();
        if (closed) return;
        controller.enqueue(encoder.encode(events.map((event) => `${JSON.stringify(event)}\n`).join('')));
        const last = events.at(-1)?.type;
        if (last !== 'end' && last !== 'stuck') return;
        closed = true;
        close();
        controller.close();
      },
      cancel: () => {
        closed = true;
        close();
      },
    },
    { highWaterMark: 0 },
  );
};
