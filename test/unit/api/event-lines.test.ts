import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventLines } from '../../../src/api/event-lines.ts';

test('a wait that fails is closed, once', async () => {
  let closed = 0;
  const lines = eventLines(
    () => Promise.reject(new Error('the store is away')),
    () => (closed += 1),
  );
  const reader = lines.getReader();
  await assert.rejects(reader.read(), /the store is away/);
  await reader.cancel().catch(() => {});
  assert.equal(closed, 1);
});
