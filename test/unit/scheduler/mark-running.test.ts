import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LiveStart } from '../../../src/scheduler/live-start.ts';
import { storeBeginning } from '../../../src/scheduler/mark-running.ts';
import type { Scheduler } from '../../../src/scheduler/scheduler.ts';

const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a beginning that cannot be stored is tried again until it can be, or the start is over', async () => {
  const due: (() => void)[] = [];
  let tried = 0;
  const scheduler = {
    closing: false,
    log: { error: () => {} },
    host: { timers: { set: (_after: number, then: () => void) => due.push(then) } },
    store: { command: () => Promise.reject(new Error(`full, ${(tried += 1)}`)) },
  } as unknown as Scheduler;
  const live = { run: 1, start: 1, ending: false, startedAt: 5 };
  storeBeginning(scheduler, live as unknown as LiveStart);
  for (const times of [1, 2, 3]) {
    due.pop()?.();
    await endOfTurn();
    assert.deepEqual([tried, due.length], [times, 1]);
  }
  live.ending = true;
  due.pop()?.();
  await endOfTurn();
  assert.equal(due.length, 0);
});
