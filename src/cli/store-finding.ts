import { connect } from 'node:net';
import { join } from 'node:path';
import { AnsweredError } from '../client/answered-error.ts';
import type { DaemonClient } from '../client/daemon-client.ts';
import { systemErrorWords } from '../client/system-error.ts';
import type { Finding } from './doctor.ts';

const what = 'store';

/** How long a server may take to accept a connection. */
const patienceMs = 5000;

/** The store as the daemon that runs finds it now; null when it went meanwhile. */
export async function storeFinding(client: Pick<DaemonClient, 'peekStore'>): Promise<Finding | null> {
  try {
    if (!(await client.peekStore())) return null;
    return { what, level: 'ok', found: 'the daemon can read its store', help: null };
  } catch (cause) {
    if (!(cause instanceof AnsweredError)) throw cause;
    return { what, level: 'broken', found: cause.message, help: cause.hint };
  }
}

/** Where a PostgreSQL listens: a port of a host, or a socket. */
export type Listening = { readonly host: string; readonly port: number } | { readonly path: string };

/** The store that a daemon which is started now would open. Of a server it is only known whether it accepts connections. */
export async function storeAhead(
  url: string,
  reach: (place: Listening) => Promise<void> = reachable,
): Promise<Finding> {
  if (url === '') return { what, level: 'ok', found: 'a file in the state folder', help: null };
  const place = listeningOf(url);
  if (place === null) {
    const found = 'ORCA_STORE_URL is no address of a PostgreSQL';
    return { what, level: 'broken', found, help: 'write it as postgres://USER:PASSWORD@HOST:5432/DATABASE' };
  }
  const where = `PostgreSQL at ${'path' in place ? place.path : `${place.host}:${place.port}`}`;
  try {
    await reach(place);
    return { what, level: 'ok', found: `${where} accepts connections`, help: null };
  } catch (cause) {
    // A name may stand for several addresses, each with an error of its own.
    const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause;
    const found = `${where} cannot be reached: ${systemErrorWords(first)}`;
    return { what, level: 'broken', found, help: 'start that server, or set ORCA_STORE_URL to where it is' };
  }
}

/** As libpq reads it: `host` and `port` may also stand behind the question mark, and a host that begins with `/` is a folder. */
export function listeningOf(text: string): Listening | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const port = Number(url.searchParams.get('port') ?? (url.port || '5432'));
  const host = url.searchParams.get('host') ?? (decodeURIComponent(url.hostname) || 'localhost');
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return null;
  if (host.startsWith('/')) return { path: join(host, `.s.PGSQL.${port}`) };
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port };
}

const reachable = (place: Listening): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect(place);
    socket.setTimeout(patienceMs, () => {
      socket.destroy(new Error(`no answer within ${patienceMs / 1000} s`));
    });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
  });
