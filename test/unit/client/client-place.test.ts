import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { systemClock } from '../../../src/client/client-place.ts';

test('a client sleeps for as long as it was told, also over 25 days', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let awake = false;
  void systemClock.sleep(2 ** 31 + 1000).then(() => (awake = true));
  t.mock.timers.tick(2 ** 31 - 1);
  await setImmediate();
  assert.equal(awake, false);
  t.mock.timers.tick(1001);
  await setImmediate();
  assert.equal(awake, true);
});

test('a sleep ends with its signal', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const over = new AbortController();
  const slept = systemClock.sleep(2 ** 31 + 1000, over.signal);
  over.abort();
  await slept;
});
