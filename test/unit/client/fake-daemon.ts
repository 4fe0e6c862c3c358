import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { systemClock, type ClientPlace, type Clock } from '../../../src/client/client-place.ts';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent piece by piece. */
  readonly pieces?: Iterable<string | Buffer> | AsyncIterable<string | Buffer>;
  /** The connection is cut after the pieces, as a daemon's death does. */
  readonly cut?: boolean;
}

export type Handler = (asked: Asked) => Answer | Promise<Answer> | undefined;

/** A state folder of its own, deleted when the test is over. */
export function temporaryState(t: { after: (fn: () => void) => void }): string {
  const state = mkdtempSync(join(tmpdir(), 'orca-client-'));
  t.after(() => rmSync(state, { recursive: true, force: true }));
  return state;
}

/** A small stand-in for the daemon: what it answers is the test's. */
export class FakeDaemon {
  readonly state: string;
  readonly asked: Asked[] = [];
  handler: Handler;
  #server: Server | null = null;

  constructor(state: string, handler: Handler) {
    this.state = state;
    this.handler = handler;
  }

  static async start(
    t: { after: (fn: () => Promise<void> | void) => void },
    state: string,
    handler: Handler,
  ): Promise<FakeDaemon> {
    const daemon = new FakeDaemon(state, handler);
    await daemon.listen();
    t.after(() => daemon.stop());
    return daemon;
  }

  async listen(): Promise<void> {
    const socket = join(this.state, 'orca.sock');
    rmSync(socket, { force: true });
    const server = createServer((request, response) => void this.#serve(request, response));
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    this.#server = server;
    const file = { pid: process.pid, socket, api: 1, version: '0.0.0', program: 'fake', started_at: 1 };
    writeFileSync(join(this.state, 'daemon.json'), JSON.stringify(file));
  }

  /** As a daemon that was killed: its connections are cut. */
  async stop(): Promise<void> {
    const server = this.#server;
    if (server === null) return;
    this.#server = null;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  /** The requests for this path so far. */
  for(path: string): Asked[] {
    return this.asked.filter((asked) => asked.path === path);
  }

  /** The body of the first request for this path. */
  bodyFor<Body>(path: string): Body {
    const [first] = this.for(path);
    if (first === undefined) throw new Error(`nobody asked for ${path}`);
    return first.body as Body;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url ?? '/', 'http://orca');
    const text = Buffer.concat(chunks).toString();
    const asked: Asked = {
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
    this.asked.push(asked);
    const answer = (await this.handler(asked)) ?? (asked.path === '/api/daemon' ? { json: {} } : unknownRoute(asked));
    response.writeHead(answer.status ?? 200, answer.headers);
    if (answer.json !== undefined) response.write(JSON.stringify(answer.json));
    for await (const piece of answer.pieces ?? []) {
      if (response.destroyed) return;
      await new Promise((resolve) => response.write(piece, resolve));
    }
    if (answer.cut === true) response.destroy();
    else response.end();
  }
}

const unknownRoute = ({ path }: Asked): Answer => ({
  status: 404,
  json: { error: { code: 'route-unknown', message: `no route ${path}`, hint: 'none', exit: 120 } },
});

export const placeOf = (state: string, entry = '/nonexistent/orca.js'): ClientPlace => ({
  state,
  program: { version: '0.1.0', builtAt: 5, entry, node: process.execPath },
  env: { PATH: '/usr/bin:/bin' },
  clock: systemClock,
  asService: false,
});

/** This process holds the state folder's lock, as a daemon does, until the test is over. */
export function holdLock(t: { after: (fn: () => void) => void }, state: string): void {
  const lock = new DatabaseSync(join(state, 'lock.db'));
  lock.exec('BEGIN EXCLUSIVE');
  t.after(() => lock.close());
}

/** A clock on which every pause is over at once. */
export function hastyClock(): Clock {
  let now = 1e12;
  return {
    now: () => now,
    sleep: (ms) => {
      now += ms;
      return new Promise((resolve) => setImmediate(resolve));
    },
  };
}

/** Lines of newline-delimited JSON. */
export const ndjson = (...values: unknown[]): string[] => values.map((value) => `${JSON.stringify(value)}\n`);
