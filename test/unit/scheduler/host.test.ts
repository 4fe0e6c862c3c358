import assert from 'node:assert/strict';
import { test } from 'node:test';
import { realHost } from '../../../src/scheduler/host.ts';
import { millis } from '../../../src/units/brands.ts';

test("a daemon's timer of a year does not go off at once", (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let gone = 0;
  const cancel = realHost().timers.set(millis(365 * 86_400_000), () => (gone += 1));
  t.mock.timers.tick(86_400_000);
  assert.equal(gone, 0);
  cancel();
});
