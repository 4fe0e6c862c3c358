import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstFailure, groupCounts, groupFailures, groupRuns } from '../../../src/store/group.ts';
import type { Backend } from '../backend.ts';
import { endedRun, runningRun, submit } from '../samples.ts';

export const groupCases = (backend: Backend): void => {
  test('a group is its own runs, counted by state, with the first of them that failed', async () => {
    const store = await backend.open();
    await submit(store);
    for (const state of ['succeeded', 'failed', 'lost', 'killed'] as const) {
      await endedRun(store, state, { group_id: 2 });
    }
    await runningRun(store, { group_id: 2 });
    for (const group_id of [7, 2, 2]) await submit(store, { group_id });
    assert.deepEqual(await groupRuns(store.read, 2), [2, 3, 4, 5, 6, 8, 9]);
    assert.deepEqual(await groupCounts(store.read, 2), {
      succeeded: 1,
      failed: 1,
      lost: 1,
      killed: 1,
      running: 1,
      queued: 2,
    });
    assert.deepEqual(await groupFailures(store.read, 2), [3, 4, 5]);
    assert.equal(await firstFailure(store.read, 2), 3);
    assert.equal(await firstFailure(store.read, 7), null);
    assert.deepEqual(await groupRuns(store.read, 1), [], 'a run without a group is no group');
    assert.deepEqual(await groupCounts(store.read, 1), {});
  });
};
