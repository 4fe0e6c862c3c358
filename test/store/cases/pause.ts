import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Queue } from '../../../src/admission/queue.ts';
import { Changes } from '../../../src/scheduler/changes.ts';
import { pauseRuns } from '../../../src/scheduler/pause.ts';
import type { Scheduler } from '../../../src/scheduler/scheduler.ts';
import { Signal } from '../../../src/scheduler/signal.ts';
import { takeFromQueue } from '../../../src/scheduler/take-from-queue.ts';
import { getRun } from '../../../src/store/get-run.ts';
import { readPaused, setPaused, setRunsPaused } from '../../../src/store/pause.ts';
import { millis, runId } from '../../../src/units/brands.ts';
import { waiting } from '../../unit/admission/builders.ts';
import type { Backend } from '../backend.ts';
import { runningRun, submit } from '../samples.ts';

const paused = { by: 'ada', reason: 'a\0b', at: millis(5) };
const kept = { ...paused, reason: 'a\uFFFDb' };

export const pauseCases = (backend: Backend): void => {
  test('a pause of the whole queue outlives the store that was told of it', async () => {
    const place = await backend.newPlace();
    const store = await backend.open(place);
    assert.equal(await readPaused(store.read), null);
    await store.command(async (tx) => setPaused(tx, paused));
    const later = await backend.open(place);
    assert.deepEqual(await readPaused(later.read), kept);
    await later.command(async (tx) => setPaused(tx, null));
    assert.equal(await readPaused(store.read), null);
  });

  test('only queued runs are held back, each by whoever came first, and only those that are held are let go', async () => {
    const store = await backend.open();
    const [first, second] = [await submit(store), await submit(store)];
    const active = await runningRun(store);
    const pause = (by: string) => async () =>
      store.command(async (tx) => setRunsPaused(tx, [second, active, first, runId(99)], { ...paused, by }));
    assert.deepEqual(await pause('ada')(), [first, second]);
    assert.deepEqual(await pause('bob')(), []);
    assert.deepEqual((await getRun(store.read, first))?.paused, kept);
    assert.equal((await getRun(store.read, active))?.paused, null);
    const resume = () => store.command(async (tx) => setRunsPaused(tx, [first, active], null));
    assert.deepEqual([await resume(), await resume()], [[first], []]);
    assert.deepEqual((await getRun(store.read, second))?.paused, kept);
  });

  test('a run that is let go while a kill has it in hand, which leaves it, waits no longer for being let go', async () => {
    const store = await backend.open();
    const run = await submit(store);
    await store.command(async (tx) => setRunsPaused(tx, [run], paused));
    const due: (() => void)[] = [];
    const moved = new Signal();
    const scheduler = {
      store,
      moved,
      queue: new Queue(),
      changes: new Changes(),
      eventsWritten: new Signal(),
      host: { now: () => 0, timers: { set: (_after: number, then: () => void) => due.push(then) } },
    } as unknown as Scheduler;
    scheduler.queue.add(waiting(run, { paused }));
    const taken = takeFromQueue(scheduler, [run]);
    await pauseRuns(scheduler, [run], { by: 'ada', reason: null, hold: false });
    taken.putBack();
    assert.notEqual(scheduler.queue.get(run)?.paused, null);
    const looked = new Promise<void>((resolve) => void moved.listen(resolve));
    due.pop()?.();
    await looked;
    assert.equal(scheduler.queue.get(run)?.paused, null);
  });
};
