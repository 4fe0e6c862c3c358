import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MoveHolds, type Hold, type MoveFailure, type Settled } from '../../../src/scheduler/move-holds.ts';
import { millis, runId } from '../../../src/units/brands.ts';

const [here, there] = ['s3://a/p', 's3://b/p'];

/** What came of moving some runs, one after the other. */
class Moving {
  readonly holds = new MoveHolds();

  failed(run: number, to: string | null = here, more: Partial<MoveFailure> = {}): Settled {
    return this.#settle(run, [], [{ to, isAway: true, why: 'away', ...more }]);
  }

  sent(run: number, ...places: string[]): Settled {
    return this.#settle(run, places, []);
  }

  leftAlone(run: number, ...places: string[]): Settled {
    return this.#settle(run, [], [], places);
  }

  take(hold: Hold | undefined): number | null {
    return hold === undefined ? null : this.holds.take(hold);
  }

  #settle(run: number, sent: string[], failures: MoveFailure[], away: string[] = []): Settled {
    return this.holds.settle(runId(run), { sent: new Set(sent), failures, away: new Set(away) }, millis(run));
  }
}

test('a place that is away holds up what goes there and nothing else, and is told once', () => {
  const moving = new Moving();
  const first = moving.failed(1);
  assert.deepEqual([first.begun.length, first.again.length], [1, 1]);
  assert.deepEqual(moving.holds.isHeld(runId(2), here), true);
  assert.deepEqual(moving.holds.isHeld(runId(2), there), false);
  for (const again of [moving.failed(2), moving.leftAlone(3, here), moving.sent(4, there)])
    assert.deepEqual([again.begun, again.over, again.again, again.free.size], [[], [], [], 0]);
  const [hold] = moving.holds.all;
  assert.deepEqual([hold?.to, hold?.why, hold?.since, [...(hold?.runs ?? [])]], [here, 'away', 1, [1, 2, 3]]);
  assert.equal(moving.holds.whyOf(runId(9), here), 'away');
  assert.equal(moving.holds.whyOf(runId(9), there), null);
});

test('one after the other is tried, after longer and longer, up to five minutes', () => {
  const moving = new Moving();
  const [hold] = moving.failed(1).again;
  moving.leftAlone(2, here);
  const waits: number[] = [];
  for (let at = 0; at < 10; at += 1) {
    waits.push(hold?.againMs ?? 0);
    const run = moving.take(hold) ?? 0;
    assert.equal(run, (at % 2) + 1);
    assert.equal(moving.holds.isHeld(runId(run), here), false);
    const { begun, again } = moving.failed(run);
    assert.deepEqual([begun, again], [[], [hold]]);
  }
  assert.deepEqual(waits.slice(0, 3), [2000, 4000, 8000]);
  assert.deepEqual(waits.slice(-2), [300_000, 300_000]);
});

test('once a place has taken something all that waited for it may go, which is told once', () => {
  const moving = new Moving();
  const [hold] = moving.failed(1).again;
  moving.failed(2, there);
  moving.leftAlone(3, here);
  moving.take(hold);
  const { over, again, free } = moving.sent(1, here);
  assert.deepEqual([over, again, [...free]], [[hold], [], [3]]);
  assert.deepEqual(
    moving.holds.all.map(({ to }) => to),
    [there],
  );
  assert.equal(moving.take(hold), null, 'its timer finds nothing');
});

test('a run that was to tell, and had nothing to send, leaves it to the next; with none left nothing is away', () => {
  const moving = new Moving();
  const [hold] = moving.failed(1).again;
  moving.leftAlone(2, here);
  moving.take(hold);
  assert.deepEqual(moving.sent(1).again, [hold]);
  assert.equal(moving.take(hold), 2);
  assert.deepEqual(moving.holds.forget(runId(2)), [hold], 'deleted while it was tried');
  assert.equal(moving.take(hold), null);
  assert.deepEqual(moving.holds.all, []);
});

test('what a run fails of while others get through is its own, and holds up no other', () => {
  const moving = new Moving();
  moving.failed(1);
  moving.leftAlone(2, here);
  assert.deepEqual([...moving.sent(3, here).free], [1, 2]);
  assert.equal(moving.failed(1).begun.length, 1);
  assert.equal(moving.holds.isHeld(runId(2), here), false);
  const { begun, over } = moving.sent(2, here);
  assert.deepEqual([begun, over], [[], []]);
  const [own] = moving.holds.all;
  assert.deepEqual([own?.to, [...(own?.runs ?? [])]], [here, [1]]);
  moving.take(own);
  assert.deepEqual(moving.sent(1, here).over, [own]);
});

test('what is wrong on this machine is told once for all, and keeps none from being tried', () => {
  const moving = new Moving();
  const full = { isAway: false, why: 'the disk is full' };
  const [hold] = moving.failed(1, here, full).begun;
  assert.deepEqual(moving.failed(2, there, full).begun, []);
  assert.equal(moving.holds.isHeld(runId(3), here), false);
  assert.equal(moving.take(hold), 1);
  const { over, free } = moving.sent(1);
  assert.deepEqual([over, [...free]], [[hold], [2]]);
});

test('a place that is there again before a run heard of it lets that go at once', () => {
  const moving = new Moving();
  moving.failed(1);
  moving.sent(2, here);
  assert.deepEqual([...moving.leftAlone(3, here).free], [3]);
});
