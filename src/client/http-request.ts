import { connect, type Socket } from 'node:net';
import { ConnectionLost } from './connection-lost.ts';
import { readAnswer, type HttpAnswer } from './http-answer.ts';

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** The connection counts as lost when nothing moves on it for so long; null: what may take long is asked after instead. */
  readonly idleMs: number | null;
  readonly askAfter?: AskAfter;
  /** Ends the request, also in the middle of its body. */
  readonly signal?: AbortSignal;
}

/** Whenever nothing has moved for so long it is asked whether anybody is there, and waited on for as long as somebody is. */
export interface AskAfter {
  readonly ms: number;
  readonly isThere: () => Promise<boolean>;
}

/**
 * One request over the Unix socket `socketPath`, on a connection of its own. `node:http` and `fetch` would do the same but cost
 * a short command 60 ms of loading (dependencies.md). Throws ConnectionLost when no answer comes; so does reading the body when it breaks off.
 */
export async function httpRequest(socketPath: string, request: HttpRequest): Promise<HttpAnswer> {
  if (request.signal?.aborted === true) throw new ConnectionLost('the request was given up');
  const socket = connect({ path: socketPath });
  const abort = () => socket.destroy(new ConnectionLost('the request was given up'));
  request.signal?.addEventListener('abort', abort, { once: true });
  socket.once('close', () => request.signal?.removeEventListener('abort', abort));
  loseWhenIdle(socket, request);
  try {
    socket.write(headOf(request));
    const answer = await readAnswer(chunksOf(socket));
    return { ...answer, body: closingAfter(answer.body, socket) };
  } catch (cause) {
    socket.destroy();
    throw lost(cause);
  }
}

function loseWhenIdle(socket: Socket, { idleMs, askAfter }: HttpRequest): void {
  const after = idleMs ?? askAfter?.ms;
  if (after === undefined) return;
  const lose = (): void => void socket.destroy(new ConnectionLost(`no byte came for ${Math.round(after / 1000)} s`));
  const goOn = (): void => void socket.setTimeout(after);
  // A listener that is given to `setTimeout` hears of the first time alone.
  socket.on('timeout', () => {
    if (idleMs !== null || askAfter === undefined) return lose();
    // Whoever refuses to say is there, too.
    askAfter.isThere().then((there) => (there ? goOn() : lose()), goOn);
  });
  goOn();
}

function headOf(request: HttpRequest): Buffer {
  const body = request.body === undefined ? null : Buffer.from(JSON.stringify(request.body));
  const lines = [`${request.method} ${request.path} HTTP/1.1`, 'host: orca', 'connection: close'];
  for (const [name, value] of Object.entries(request.headers ?? {})) lines.push(`${name}: ${value}`);
  if (body !== null) lines.push('content-type: application/json', `content-length: ${body.length}`);
  else if (request.method === 'POST') lines.push('content-length: 0');
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  return body === null ? head : Buffer.concat([head, body]);
}

async function* chunksOf(socket: Socket): AsyncGenerator<Buffer> {
  for await (const chunk of socket) yield chunk as Buffer;
}

async function* closingAfter(body: AsyncGenerator<Buffer>, socket: Socket): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch (cause) {
    throw lost(cause);
  } finally {
    socket.destroy();
  }
}

function lost(cause: unknown): ConnectionLost {
  if (cause instanceof ConnectionLost) return cause;
  return new ConnectionLost(cause instanceof Error ? cause.message : String(cause), cause);
}
