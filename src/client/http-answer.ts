import { ByteReader } from './byte-reader.ts';
import { ConnectionLost } from './connection-lost.ts';

export interface HttpAnswer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: AsyncGenerator<Buffer>;
}

/** Reads one HTTP/1.1 answer (RFC 9112) from the bytes of a connection that is closed after it. */
export async function readAnswer(source: AsyncIterator<Buffer>): Promise<HttpAnswer> {
  const reader = new ByteReader(source);
  for (;;) {
    const status = statusOf(await reader.line());
    const headers = await readHeaders(reader);
    // 1xx answers announce the real one.
    if (status >= 200) return { status, headers, body: bodyOf(reader, status, headers) };
  }
}

function statusOf(line: string): number {
  const match = /^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(line);
  if (match?.[1] === undefined) throw new ConnectionLost('the answer is not HTTP');
  return Number(match[1]);
}

async function readHeaders(reader: ByteReader): Promise<Map<string, string>> {
  const headers = new Map<string, string>();
  for (;;) {
    const line = await reader.line();
    if (line === '') return headers;
    const colon = line.indexOf(':');
    if (colon > 0) headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
}

function bodyOf(reader: ByteReader, status: number, headers: ReadonlyMap<string, string>): AsyncGenerator<Buffer> {
  if (status === 204 || status === 304) return reader.bytes(0);
  if (headers.get('transfer-encoding')?.toLowerCase() === 'chunked') return chunkedBody(reader);
  const length = headers.get('content-length');
  if (length === undefined) return reader.rest();
  if (!/^\d+$/.test(length)) throw new ConnectionLost('the answer has no readable length');
  return reader.bytes(Number(length));
}

async function* chunkedBody(reader: ByteReader): AsyncGenerator<Buffer> {
  for (;;) {
    const size = /^([0-9a-fA-F]{1,12})\s*(?:;.*)?$/.exec(await reader.line())?.[1];
    if (size === undefined) throw new ConnectionLost('the answer has a chunk without a size');
    const length = Number.parseInt(size, 16);
    if (length === 0) {
      // Trailers, up to the empty line.
      while ((await reader.line()) !== '');
      return;
    }
    yield* reader.bytes(length);
    await reader.line();
  }
}
