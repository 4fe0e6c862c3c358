import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Stall } from '../../../src/scheduler/stall.ts';
import { millis } from '../../../src/units/brands.ts';

const at = (stall: Stall, now: number): string | null => stall.at(millis(now))?.why ?? null;

test('a trouble that all have in common keeps all for some seconds, or until one is claimed', () => {
  const stall = new Stall();
  stall.failed('full', true, millis(1000));
  assert.deepEqual([at(stall, 1000), at(stall, 5999), at(stall, 6000)], ['full', 'full', null]);
  assert.equal(stall.at(millis(1000))?.until, 6000);
  stall.succeeded();
  assert.equal(at(stall, 1000), null);
});

test('one run’s own trouble keeps no other', () => {
  const stall = new Stall();
  for (let times = 0; times < 1000; times += 1) {
    stall.failed('odd', false, millis(1000));
    if (times % 10 === 0) stall.succeeded();
    assert.equal(at(stall, 1000), null);
  }
});

test('when one after the other fails for whatever it is, the rest is tried a little later, and not all at once', () => {
  const stall = new Stall();
  let tried = 0;
  for (; tried < 1000 && at(stall, 1000) === null; tried += 1) stall.failed('odd', false, millis(1000));
  assert.equal(tried, 64);
  assert.equal(at(stall, 2000), null);
  stall.failed('odd', false, millis(2000));
  assert.equal(at(stall, 2000), null, 'those behind have their turn');
});
