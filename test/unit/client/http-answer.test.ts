import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ConnectionLost } from '../../../src/client/connection-lost.ts';
import { readAnswer } from '../../../src/client/http-answer.ts';

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(
  text: string | Buffer,
  size = 7,
): Promise<{ status: number; body: string; headers: ReadonlyMap<string, string> }> {
  const answer = await readAnswer(pieces(Buffer.from(text), size));
  const chunks: Buffer[] = [];
  for await (const chunk of answer.body) chunks.push(chunk);
  return { status: answer.status, headers: answer.headers, body: Buffer.concat(chunks).toString() };
}

const counted = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-Some: a: b \r\n\r\nhello';

test('a counted body is read to its length and no further', async () => {
  const answer = await read(`${counted}extra`);
  assert.equal(answer.status, 200);
  assert.equal(answer.body, 'hello');
  assert.equal(answer.headers.get('x-some'), 'a: b');
});

test('a chunked body comes out whole, however its bytes are cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ minLength: 1, unit: 'binary' })),
      fc.integer({ min: 1, max: 40 }),
      async (parts, size) => {
        const chunks = parts.map((part) => `${Buffer.byteLength(part).toString(16)};x=1\r\n${part}\r\n`).join('');
        const answer = await read(
          `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\nTrailer: 1\r\n\r\n`,
          size,
        );
        assert.equal(answer.body, parts.join(''));
      },
    ),
    { numRuns: 100 },
  );
});

test('a body without a length lasts until the connection ends', async () => {
  assert.equal((await read('HTTP/1.1 200 OK\r\n\r\nabc')).body, 'abc');
});

test('an interim answer is passed over', async () => {
  assert.equal((await read(`HTTP/1.1 100 Continue\r\n\r\n${counted}`)).body, 'hello');
});

test('an answer without content has an empty body', async () => {
  assert.equal((await read('HTTP/1.1 204 No Content\r\n\r\nnot part of it')).body, '');
});

for (const [what, text] of [
  ['a head that breaks off', 'HTTP/1.1 200 OK\r\nContent-'],
  ['a counted body that breaks off', counted.slice(0, -1)],
  ['a chunked body that breaks off between chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n'],
  ['a chunk without a size', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nab\r\n'],
  ['something that is not HTTP', 'SSH-2.0-OpenSSH\r\n\r\n'],
  ['a length that is no number', 'HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\nab'],
  ['a line without an end', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(40_000)}`],
] as const) {
  test(`${what} counts as a lost connection`, async () => {
    await assert.rejects(read(text, 1000), ConnectionLost);
  });
}
