import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LogMoving } from '../../../src/scheduler/log-moving.ts';
import { millis, runId } from '../../../src/units/brands.ts';

const to = { bucket: 'b', prefix: 'p' };

test('it is settled when nothing is on its way, and when what is cannot be moved now', async () => {
  const moving = new LogMoving(to);
  await moving.settled();
  moving.waiting.set(runId(1), millis(1));
  let settled = false;
  const done = moving.settled().then(() => {
    settled = true;
  });
  moving.stepped.raise();
  await Promise.resolve();
  assert.equal(settled, false);
  moving.waiting.clear();
  const failures = [{ to: 's3://b/p', isAway: true, why: 'away' }];
  moving.holds.settle(runId(1), { sent: new Set(), failures, away: new Set() }, millis(1));
  moving.stepped.raise();
  await done;
  assert.equal(moving.runs, 1);
  assert.equal(moving.busy, false);
});

test('where logs stay nothing is on; a store some of whose logs went elsewhere has to find them', () => {
  const moving = new LogMoving(null);
  assert.equal(moving.on, false);
  moving.storeId = 'id';
  assert.equal(moving.on, true);
  assert.equal(new LogMoving(to).on, true);
});
