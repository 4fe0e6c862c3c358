import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askKills } from '../../../src/store/ask-kill.ts';
import { runsOf, unknownGroup } from '../../../src/store/chosen-runs.ts';
import { finishQueuedRuns } from '../../../src/store/finish-run.ts';
import { listRuns, type ListRuns } from '../../../src/store/list-runs.ts';
import { getRuns } from '../../../src/store/get-run.ts';
import { noExtras } from '../../../src/runs/extras.ts';
import { millis, runId } from '../../../src/units/brands.ts';
import type { Backend } from '../backend.ts';
import { endedRun, endOfRun, runningRun, submit } from '../samples.ts';

export const manyKillCases = (backend: Backend): void => {
  test('kills of many are recorded at once, each with what it was before, and only what waits is ended with them', async () => {
    const store = await backend.open();
    const [queued, active] = [await submit(store), await runningRun(store)];
    const over = await endedRun(store, 'failed');
    const runs = [runId(99), active, over, queued];
    const order = { at: millis(7), by: 'ada\0', now: false };
    const asked = await store.command(async (tx) => askKills(tx, runs, order));
    assert.deepEqual(asked.recorded, new Map([[queued, 'queued'] as const, [active, 'running'] as const]));
    assert.deepEqual(asked.rest, new Map([[over, 'failed']]));

    const { run: _run, start: _start, ...end } = endOfRun(queued, null, { state: 'killed', text: 'by ada' });
    assert.deepEqual(await store.command(async (tx) => finishQueuedRuns(tx, runs, end)), [queued]);
    const after = new Map((await getRuns(store.read, runs)).map((run) => [run.id, run]));
    assert.deepEqual(
      [queued, active, over].map((id) => [after.get(id)?.state, after.get(id)?.kill_by, after.get(id)?.text]),
      [
        ['killed', 'ada\uFFFD', 'by ada'],
        ['running', 'ada\uFFFD', null],
        ['failed', null, 'succeeded'],
      ],
    );
  });

  test('a client ends as their owner only what it still owns', async () => {
    const store = await backend.open();
    const [mine, shared] = [await runningRun(store, { owner: 'me' }), await submit(store)];
    const order = { at: millis(7), by: 'ada', now: false, owner: 'me' };
    const asked = await store.command(async (tx) => askKills(tx, [mine, shared], order));
    assert.deepEqual(asked.recorded, new Map([[mine, 'running']]));
    assert.deepEqual(asked.rest, new Map([[shared, 'queued']]));
    assert.equal((await getRuns(store.read, [shared]))[0]?.kill_at, null);
  });

  test('a group and a tag stand for their runs, or for those that are not over, each once', async () => {
    const store = await backend.open();
    const extras = { ...noExtras, tags: ['night', 'long'] };
    const both = await submit(store, { group_id: 1, extras });
    const grouped = await runningRun(store, { group_id: 1 });
    const tagged = await submit(store, { extras: { ...noExtras, tags: ['night'] } });
    const over = await endedRun(store, 'failed', { group_id: 1, extras });
    await submit(store, { group_id: 2 });
    const of = (groups: number[], tags: string[]) => runsOf(store.read, { groups, tags }, false);
    assert.deepEqual(await of([1], ['night']), [both, grouped, tagged]);
    assert.deepEqual(await of([], ['long']), [both]);
    assert.deepEqual(await of([], ['Night', 'night%']), []);
    assert.deepEqual(await runsOf(store.read, { groups: [1], tags: ['night'] }, true), [both, grouped, over, tagged]);
    const listed = async (only: Partial<ListRuns>): Promise<number[]> =>
      (await listRuns(store.read, { limit: 10, ...only })).map(({ id }) => id);
    assert.deepEqual(await listed({ tags: ['long', 'night'] }), [over, tagged, both]);
    assert.deepEqual(await listed({ group: 1, states: ['queued', 'failed'] }), [over, both]);
    const named = await submit(store, { name: 'n', key: 'k' });
    assert.deepEqual([await listed({ name: 'n' }), await listed({ key: 'k' })], [[named], [named]]);
    assert.deepEqual(await listed({ key: 'k', group: 1 }), []);
    assert.equal(await unknownGroup(store.read, [1, 2]), null);
    assert.equal(await unknownGroup(store.read, [1, 3]), 3);
  });
};
