import assert from 'node:assert/strict';
import { test } from 'node:test';
import { killCameAfterEnd } from '../../../src/scheduler/kill-after-end.ts';
import { millis } from '../../../src/units/brands.ts';
import { code, mark } from '../evidence/a-start.ts';

const killed = { kill_at: millis(2000) };
const endedAt = (ended_ms: number | null, marks: ReturnType<typeof mark>[] = []) => ({
  ...code(7, { marks }),
  ended_ms,
});

test('a kill recorded after the time in the exit record came after the end', () => {
  assert.equal(killCameAfterEnd(killed, endedAt(1999)), true);
});

test('a kill recorded while the command was there did not, also when both fall into the same millisecond', () => {
  for (const ended of [2000, 2001]) assert.equal(killCameAfterEnd(killed, endedAt(ended)), false);
});

test('the keeper’s mark of a person’s kill outweighs the clock', () => {
  assert.equal(killCameAfterEnd(killed, endedAt(1000, [mark('user', 'ada')])), false);
  assert.equal(killCameAfterEnd(killed, endedAt(1000, [mark('timer', '')])), true);
});

test('without a kill, or where nobody saw the end, nothing came after it', () => {
  assert.equal(killCameAfterEnd({ kill_at: null }, endedAt(1000)), false);
  assert.equal(killCameAfterEnd(killed, endedAt(null)), false);
  assert.equal(killCameAfterEnd(killed, null), false);
  assert.equal(killCameAfterEnd(killed, { ...endedAt(1000), how: 'keeper-died' }), false);
});
