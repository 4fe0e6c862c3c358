import { ConnectionLost } from './connection-lost.ts';

/** A server-sent event; one without data only moves the number on. */
export interface Sse {
  readonly id: string | null;
  readonly data: string | null;
}

/** The events of a `text/event-stream`, as far as orca's daemon writes it; comments are passed over. An unfinished one at the end means that the stream broke. */
export async function* readSse(chunks: AsyncIterable<Buffer>): AsyncGenerator<Sse> {
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    for (let end = held.indexOf('\n\n'); end >= 0; end = held.indexOf('\n\n')) {
      const event = parseSse(held.subarray(0, end).toString('utf8'));
      held = held.subarray(end + 2);
      if (event.id !== null || event.data !== null) yield event;
    }
  }
  if (held.length > 0) throw new ConnectionLost('the answer ended in the middle of an event');
}

function parseSse(text: string): Sse {
  const field = (name: string): string[] =>
    text.split('\n').flatMap((line) => (line.startsWith(`${name}: `) ? [line.slice(name.length + 2)] : []));
  const data = field('data');
  return { id: field('id').at(-1) ?? null, data: data.length === 0 ? null : data.join('\n') };
}
