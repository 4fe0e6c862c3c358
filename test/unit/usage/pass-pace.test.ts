import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PassPace } from '../../../src/usage/pass-pace.ts';

/** How the pace goes on after passes of so many milliseconds, 250 ms being asked for. */
const after = (pace: PassPace, ...took: readonly number[]) => took.map((ms) => pace.next(ms, 250));

test('passes are as far apart as asked for while they are cheap, and take 5 % of a core at most when they are dear', () => {
  const pace = new PassPace();
  assert.equal(pace.intervalMs, null);
  assert.deepEqual(
    after(pace, 0, 2, 12.5, 13, 13, 60, 60).map(({ afterMs }) => afterMs),
    [250, 250, 250, 250, 260, 260, 1200],
  );
  assert.equal(pace.intervalMs, 1200);
  assert.equal(pace.next(1, 50).afterMs, 50, 'a changed setting counts at once');
});

test('one dear pass, such as the first of all, does not leave runs unmeasured for seconds', () => {
  assert.deepEqual(
    after(new PassPace(), 400, 2, 400, 3).map(({ afterMs }) => afterMs),
    [250, 250, 250, 250],
  );
});

test('that passes are slower is said once, after several dear ones in a row, and again when they are cheap', () => {
  const pace = new PassPace();
  assert.deepEqual(
    after(pace, 60, 60, 60, 60, 60, 60, 60, 60, 60).map(({ changed }) => changed),
    [false, false, false, false, true, false, false, false, false],
  );
  assert.equal(pace.slowed, true);
  assert.deepEqual(
    after(pace, 1, 1, 1, 1, 1).map(({ changed }) => changed),
    [false, false, false, true, false],
  );
  assert.equal(pace.slowed, false);
});

test('one dear pass now and then, or a little more than asked for, is not worth a word', () => {
  const pace = new PassPace();
  const passes = [60, 60, 60, 1, 60, 60, 60, 1, ...Array.from({ length: 9 }, () => 18)];
  assert.ok(after(pace, ...passes).every(({ changed }) => !changed));
  assert.equal(pace.slowed, false);
});
