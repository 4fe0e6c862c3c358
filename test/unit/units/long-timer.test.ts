import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setLongTimer } from '../../../src/units/long-timer.ts';

const day = 86_400_000;

test('a timer of a hundred days goes off after a hundred days, once', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let gone = 0;
  setLongTimer(100 * day, () => (gone += 1));
  for (let passed = 0; passed < 100; passed += 1) {
    assert.equal(gone, 0, `day ${passed}`);
    t.mock.timers.tick(day);
  }
  // A mocked part begins at the end of the tick in which the one before went off.
  for (let passed = 0; passed < 100; passed += 1) t.mock.timers.tick(day);
  assert.equal(gone, 1);
});

test('a short timer goes off once, after its time', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let gone = 0;
  setLongTimer(20, () => (gone += 1));
  t.mock.timers.tick(19);
  assert.equal(gone, 0);
  t.mock.timers.tick(1);
  assert.equal(gone, 1);
});

test('a long timer can be cancelled in every part of its time', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  for (const after of [0, 10, 30, 60, 99]) {
    let gone = 0;
    const cancel = setLongTimer(100 * day, () => (gone += 1));
    for (let passed = 0; passed < after; passed += 1) t.mock.timers.tick(day);
    cancel();
    for (let passed = 0; passed < 100; passed += 1) t.mock.timers.tick(day);
    assert.equal(gone, 0, `cancelled on day ${after}`);
  }
});
