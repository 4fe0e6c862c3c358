import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readSse, type Sse } from '../../../src/client/read-sse.ts';

async function* pieces(text: string, sizes: readonly number[]): AsyncGenerator<Buffer> {
  let rest = Buffer.from(text);
  for (const size of sizes) {
    yield rest.subarray(0, size);
    rest = rest.subarray(size);
  }
  yield rest;
}

const all = async (text: string, sizes: readonly number[] = []): Promise<Sse[]> => {
  const events: Sse[] = [];
  for await (const event of readSse(pieces(text, sizes))) events.push(event);
  return events;
};

test('events come whole, a number may come alone, and comments are passed over', async () => {
  const text = 'id: 1\nevent: x\ndata: {"a":"🐋"}\n\n: beat\n\nid: 7\n\n';
  const events = [
    { id: '1', data: '{"a":"🐋"}' },
    { id: '7', data: null },
  ];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 12 }), async (sizes) => {
      assert.deepEqual(await all(text, sizes), events);
    }),
  );
});

test('a stream that ends in the middle of an event is a broken one', async () => {
  await assert.rejects(all('id: 1\ndata: {"a'), { name: 'ConnectionLost' });
});
