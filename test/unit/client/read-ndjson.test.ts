import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectionLost } from '../../../src/client/connection-lost.ts';
import { readNdjson } from '../../../src/client/read-ndjson.ts';

async function* chunksOf(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function all(text: string, size: number): Promise<unknown[]> {
  const values: unknown[] = [];
  for await (const value of readNdjson(chunksOf(text, size))) values.push(value);
  return values;
}

test('each line is a value, also when a character is cut in two', async () => {
  for (const size of [1, 2, 3, 1000]) {
    assert.deepEqual(await all('{"a":"ü"}\n\n[1]\n', size), [{ a: 'ü' }, [1]]);
  }
});

test('a last line without its end means that the stream broke', async () => {
  await assert.rejects(all('{"a":1}\n{"b"', 4), ConnectionLost);
});

test('a line that is no JSON means that the stream broke', async () => {
  await assert.rejects(all('{"a":1}\nnonsense\n', 4), ConnectionLost);
});
