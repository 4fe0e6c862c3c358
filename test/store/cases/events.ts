import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addEndedAttempt,
  attemptsOf,
  beginAttempt,
  endAttempt,
  endUnfinishedAttempts,
} from '../../../src/store/attempts.ts';
import {
  addEvent,
  addEvents,
  eventsBefore,
  eventsBetween,
  eventsOfRun,
  eventsSince,
  lastEventId,
  type EventFilter,
} from '../../../src/store/events.ts';
import { finishRun } from '../../../src/store/finish-run.ts';
import { prunedUpTo, pruneEvents } from '../../../src/store/prune-events.ts';
import { bytes, millis } from '../../../src/units/brands.ts';
import type { Backend } from '../backend.ts';
import { endOfRun, runningRun, submit } from '../samples.ts';

export const eventCases = (backend: Backend): void => {
  test('events come in their order, from any number on', async () => {
    const store = await backend.open();
    const run = await submit(store);
    const data = { text: 'a\0b', list: [1, null, { deep: '🐋' }] };
    for (const kind of ['a', 'b', 'c'])
      await store.command(async (tx) => addEvent(tx, { run, at: millis(5), kind, data }));
    await store.command(async (tx) => addEvent(tx, { run: null, at: millis(6), kind: 'd', data: {} }));
    const kinds = async (since: number, limit: number) =>
      (await eventsSince(store.read, since, limit)).map((e) => e.kind);
    assert.deepEqual(await kinds(0, 10), ['a', 'b', 'c', 'd']);
    assert.deepEqual(await kinds(1, 2), ['b', 'c']);
    assert.deepEqual((await eventsSince(store.read, 0, 1))[0], { id: 1, run, at: 5, kind: 'a', data });
    assert.equal(await lastEventId(store.read), 4);
  });

  test('events that are kept together keep their order, however many', async () => {
    const store = await backend.open();
    const events = Array.from({ length: 2500 }, (_, index) => ({
      run: null,
      at: millis(1),
      kind: String(index),
      data: {},
    }));
    await store.command(async (tx) => addEvent(tx, { run: null, at: millis(1), kind: 'before', data: {} }));
    assert.equal(await store.command(async (tx) => addEvents(tx, events)), 2);
    const kinds = (await eventsSince(store.read, 1, 9999)).map((event) => event.kind);
    assert.deepEqual(
      kinds,
      events.map((event) => event.kind),
    );
  });

  test('events are found by run, group and kind, up to the last that was there', async () => {
    const store = await backend.open();
    const single = await submit(store);
    const grouped = [await submit(store, { group_id: 7 }), await submit(store, { group_id: 7 })];
    for (const run of [single, ...grouped, null])
      for (const kind of ['a', 'b'])
        await store.command(async (tx) => addEvent(tx, { run, at: millis((run ?? 9) * 100), kind, data: {} }));
    const ids = async (filter: EventFilter, since = 0, last = 99, limit = 99): Promise<number[]> =>
      (await eventsBetween(store.read, { since, last, limit }, filter)).map(({ id }) => id);
    assert.deepEqual(await ids({}), [1, 2, 3, 4, 5, 6, 7, 8]);
    assert.deepEqual(await ids({ runs: [single] }), [1, 2]);
    assert.deepEqual(await ids({ groups: [7] }), [3, 4, 5, 6]);
    assert.deepEqual(await ids({ runs: [single], groups: [7], kinds: ['b'] }), [2, 4, 6]);
    assert.deepEqual(await ids({ ofNoRun: true, kinds: ['b'] }), [8]);
    assert.deepEqual(await ids({ kinds: ['a'] }, 1, 6), [3, 5]);
    assert.deepEqual(await ids({}, 2, 99, 3), [3, 4, 5]);
    assert.deepEqual(
      (await eventsOfRun(store.read, single)).map(({ id }) => id),
      [1, 2],
    );
    assert.equal(await eventsBefore(store.read, millis(200)), 2);
    assert.equal(await eventsBefore(store.read, millis(5000)), 8);
  });

  test('only old events of runs that are over are pruned, and their numbers never come again', async () => {
    const store = await backend.open();
    const [over, queued, active] = [await submit(store), await submit(store), await runningRun(store)];
    for (const run of [over, queued, active, null]) {
      for (const at of [100, 200]) {
        await store.command(async (tx) => addEvent(tx, { run, at: millis(at), kind: 'k', data: {} }));
      }
    }
    await store.command(async (tx) => finishRun(tx, endOfRun(over, null, { state: 'killed' })));
    assert.equal(await prunedUpTo(store.read), 0);
    assert.equal(await store.command(async (tx) => pruneEvents(tx, millis(200))), 2);
    assert.equal(await store.command(async (tx) => pruneEvents(tx, millis(200))), 0);
    assert.equal(await prunedUpTo(store.read), 7);
    const left = (await eventsSince(store.read, 0, 100)).map((event) => [event.run, event.at]);
    assert.deepEqual(left, [
      [over, 200],
      [queued, 100],
      [queued, 200],
      [active, 100],
      [active, 200],
      [null, 200],
    ]);
    await store.command(async (tx) => finishRun(tx, endOfRun(queued, null, { state: 'killed' })));
    assert.equal(await store.command(async (tx) => pruneEvents(tx, millis(1000))), 4);
    assert.equal(await prunedUpTo(store.read), 8);
    assert.equal(await store.command(async (tx) => addEvent(tx, { run: null, at: millis(1), kind: 'k', data: {} })), 9);
  });

  test('many old events go share by share', async () => {
    const store = await backend.open();
    await store.command(async (tx) => {
      for (let index = 0; index < 1100; index++)
        await addEvent(tx, { run: null, at: millis(index), kind: 'k', data: {} });
    });
    const prune = async () => store.command(async (tx) => pruneEvents(tx, millis(5000)));
    assert.deepEqual([await prune(), await prune(), await prune()], [1000, 100, 0]);
  });

  test('an attempt that was unfinished when its process ended takes its verdict; an ended one keeps its own', async () => {
    const store = await backend.open();
    const run = await runningRun(store);
    const key = { run, start: 1, step: 'main', n: 1 };
    const second = { ...key, step: 'load' };
    await store.command(async (tx) => {
      await beginAttempt(tx, key, millis(1));
      await beginAttempt(tx, second, millis(2));
    });
    const well = {
      state: 'succeeded',
      error: null,
      ended_at: millis(3),
      peak_rss_bytes: bytes(9),
      cpu_seconds: 0.25,
    } as const;
    assert.equal(await store.command(async (tx) => endAttempt(tx, key, well)), true);
    const badly = { state: 'lost', error: 'its keeper died', ended_at: millis(4) } as const;
    assert.equal(await store.command(async (tx) => endAttempt(tx, key, badly)), false);
    await store.command(async (tx) => endUnfinishedAttempts(tx, run, 1, badly));
    const attempts = await attemptsOf(store.read, run);
    assert.deepEqual(
      attempts.map(({ step, state, error, peak_rss_bytes, cpu_seconds }) => [
        step,
        state,
        error,
        peak_rss_bytes,
        cpu_seconds,
      ]),
      [
        ['main', 'succeeded', null, 9, 0.25],
        ['load', 'lost', 'its keeper died', null, null],
      ],
    );
  });

  test('an attempt can be kept when it is over already', async () => {
    const store = await backend.open();
    const run = await runningRun(store);
    const end = { state: 'failed', error: 'exit code 3', ended_at: millis(9), peak_cpus: 1.5 } as const;
    const key = { run, start: 1, step: 'main', n: 1 };
    await store.command(async (tx) => addEndedAttempt(tx, key, millis(4), end));
    const [attempt] = await attemptsOf(store.read, run);
    assert.deepEqual({ ...attempt, ...key, ...end, started_at: 4 }, attempt);
  });
};
