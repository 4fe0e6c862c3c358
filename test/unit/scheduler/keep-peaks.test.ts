import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { keepPeaks, storePeaks } from '../../../src/scheduler/keep-peaks.ts';
import type { LiveStart } from '../../../src/scheduler/live-start.ts';
import type { Scheduler } from '../../../src/scheduler/scheduler.ts';
import { Meter } from '../../../src/usage/meter.ts';

/** A scheduler whose store only counts its commands, and one start that has been seen with `rss` bytes. */
const aScheduler = (rss: number) => {
  const errors: unknown[] = [];
  const store = { commands: 0, command: async (): Promise<void> => void (store.commands += 1) };
  const usage = { running: true, peaksKeptAt: 0 };
  const log = { error: (what: unknown) => errors.push(what) };
  const meter = new Meter(100);
  meter.sample(rss, 1, 101);
  const live = { run: 1, start: 1, meter, keptPeak: 0, ending: false } as unknown as LiveStart;
  return { scheduler: { usage, store, log } as unknown as Scheduler, store, live, errors };
};

test('a peak is stored when it was first seen, then only when it has grown, and every 5 s at most', async () => {
  const { scheduler, store, live } = aScheduler(1000);
  const look = async (now: number): Promise<number> => {
    keepPeaks(scheduler, [live], now);
    await turn();
    return store.commands;
  };
  assert.equal(await look(1000), 1);
  assert.equal(await look(1010), 1, 'it has not grown');
  live.meter.sample(1019, 2, 102);
  assert.equal(await look(1020), 1, 'it has hardly grown');
  live.meter.sample(2000, 3, 103);
  assert.equal(await look(1022), 1, 'it is not time yet');
  assert.equal(await look(1025), 2);
});

test('a start that was not measured yet, or is being ended, costs no write', async () => {
  const { scheduler, store, live } = aScheduler(1000);
  await storePeaks(scheduler, [
    { ...live, meter: new Meter(0) },
    { ...live, ending: true },
  ]);
  assert.equal(store.commands, 0);
});

test('a store that refuses is told to the log, ends nothing, and is asked again', async () => {
  const { scheduler, store, live, errors } = aScheduler(1000);
  const { command } = store;
  store.command = () => Promise.reject(new Error('full'));
  keepPeaks(scheduler, [live], 1000);
  await turn();
  assert.equal(errors.length, 1);
  store.command = command;
  keepPeaks(scheduler, [live], 1005);
  await turn();
  assert.deepEqual([store.commands, errors.length], [1, 1]);
});
