import { readFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: IncomingMessage;
}

/** Speaks HTTP with the daemon of a state folder, past orca's own client. */
export const ask = (
  state: string,
  method: string,
  path: string,
  options: { body?: unknown; raw?: string; headers?: Record<string, string> } = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { socket } = JSON.parse(readFileSync(join(state, 'daemon.json'), 'utf8')) as { socket: string };
    const headers = { 'content-type': 'application/json', ...options.headers };
    const outgoing = request({ socketPath: socket, method, path, headers }, (body) =>
      resolve({ status: body.statusCode ?? 0, headers: body.headers, body }),
    );
    outgoing.on('error', reject);
    outgoing.end(options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body)));
  });

export const textOf = async ({ body }: Answer): Promise<string> => {
  let text = '';
  for await (const piece of body.setEncoding('utf8')) text += String(piece);
  return text;
};

/** The lines of a stream as they come. */
export async function* linesOf({ body }: Answer): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of body.setEncoding('utf8')) {
    const lines = (rest + String(piece)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
