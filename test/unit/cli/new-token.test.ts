import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newToken } from '../../../src/cli/new-token.ts';

test('every token is another uuid', () => {
  const tokens = new Set(Array.from({ length: 100 }, newToken));
  assert.equal(tokens.size, 100);
  for (const token of tokens)
    assert.match(token, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
