import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atLimit } from '../../../src/containment/at-limit.ts';
import { held, heldPressure, mayThrash } from '../../../src/containment/held.ts';
import { ownLimitPressure } from '../../../src/containment/own-limit-pressure.ts';
import { heldText, slowedText } from '../../../src/containment/texts.ts';

const gb = 1024 ** 3;

test('exactly 95 % of the limit is at the limit, one byte less is not, and unreadable is not', () => {
  for (const limit of [100, 100 * 1024 ** 2, 1000 * gb, 40 * 1024 * gb]) {
    const edge = (limit / 100) * 95;
    assert.equal(Number.isInteger(edge), true);
    assert.equal(atLimit(edge, limit), true);
    assert.equal(atLimit(edge - 1, limit), false);
  }
  assert.equal(atLimit(null, gb), false);
});

test('where 95 % is no whole number of bytes the next one is at the limit', () => {
  assert.equal(atLimit(Math.ceil(1001 * 1048576 * 0.95), 1001 * 1048576), true);
  assert.equal(atLimit(Math.floor(1001 * 1048576 * 0.95), 1001 * 1048576), false);
});

test('a run is at its limit over it too', () => {
  assert.equal(atLimit(2 * gb, gb), true);
});

test('a run is held when it is at its limit and waits at least half of the time', () => {
  assert.equal(heldPressure, 50);
  assert.equal(held(gb, gb, 50), true);
  assert.equal(held(gb, gb, 49.99), false);
  assert.equal(held(0.9 * gb, gb, 99), false);
});

test('without pressure figures, or without its memory, nothing is ever held', () => {
  assert.equal(held(gb, gb, null), false);
  assert.equal(held(null, gb, 99), false);
});

test('the pressure of own limits is the largest of the runs that are at theirs', () => {
  const at = (someAvg10: number | null): Parameters<typeof ownLimitPressure>[0] => [
    { currentBytes: gb, limitBytes: gb, someAvg10 },
  ];
  const below = { currentBytes: 0.5 * gb, limitBytes: gb, someAvg10: 90 };
  const unread = { currentBytes: null, limitBytes: gb, someAvg10: 80 };
  assert.equal(ownLimitPressure([...at(12.5), below, ...at(40), unread, ...at(3)]), 40);
  assert.equal(ownLimitPressure([below, unread]), 0);
  assert.equal(ownLimitPressure([]), 0);
  assert.equal(ownLimitPressure(at(null)), 0);
});

test('the text of a held run says at what, for how long, and how it was seen', () => {
  assert.equal(
    heldText({ limitBytes: gb, heldSeconds: 120, by: 'memory', fullAvg10: 96.7 }),
    'at its limit of 1024 MB for 2m, all of it waiting for memory 97 % of the last 10 s',
  );
});

test('one that thrashes on files is told as such', () => {
  assert.equal(
    heldText({ limitBytes: gb, heldSeconds: 120, by: 'files', fullAvg10: 96.7 }),
    'at its limit of 1024 MB for 2m, all of it waiting for pages of files that there is no memory to keep 97 % of the last 10 s',
  );
});

test('a run may thrash when its limit is full without its page cache, and it waits for disks at least half of the time', () => {
  const wait = { currentBytes: 100 * gb, cacheBytes: 5 * gb, limitBytes: 100 * gb, ioFullAvg10: 50 };
  assert.equal(mayThrash(wait), true);
  assert.equal(mayThrash({ ...wait, cacheBytes: 5 * gb + 1 }), false);
  assert.equal(mayThrash({ ...wait, ioFullAvg10: 49.99 }), false);
  for (const unread of [{ currentBytes: null }, { cacheBytes: null }, { ioFullAvg10: null }])
    assert.equal(mayThrash({ ...wait, ...unread }), false);
});

test('the text of a run over its limit says without PSI that nothing ends it for that', () => {
  const slow = 'over its limit of 1024 MB: the kernel slows it down';
  assert.equal(slowedText(gb, true), slow);
  assert.equal(
    slowedText(gb, false),
    `${slow}; without PSI orca cannot tell whether it gets on, and does not end it for that`,
  );
});
