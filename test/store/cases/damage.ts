import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queuedRuns, startedRuns } from '../../../src/store/active-runs.ts';
import { runsAfter } from '../../../src/store/aged-runs.ts';
import { briefRuns } from '../../../src/store/brief-runs.ts';
import { addEvent, eventsOfRun } from '../../../src/store/events.ts';
import { getRun, getRunsWithStarts, getStoredRun } from '../../../src/store/get-run.ts';
import { listRuns } from '../../../src/store/list-runs.ts';
import { NeededRuns } from '../../../src/store/needed-runs.ts';
import { readPaused } from '../../../src/store/pause.ts';
import type { Store } from '../../../src/store/store.ts';
import { millis, type RunId } from '../../../src/units/brands.ts';
import type { Backend } from '../backend.ts';
import { runningRun, submit } from '../samples.ts';

const columns = ['argv', 'settings', 'oom', 'needs', 'extras', 'secrets'] as const;

/** No JSON, JSON of another kind, and an object without what should be in it. */
const badTexts = ['{"a":', '7', '{"argv":null,"x":7}'];

const everyReader = async ({ read }: Store, run: RunId): Promise<(string | null)[]> => {
  const found = [
    await getRun(read, run),
    await getStoredRun(read, run),
    (await getRunsWithStarts(read, [run])).get(run)?.run ?? null,
    (await listRuns(read, { limit: 10 })).find(({ id }) => id === run) ?? null,
    ...(await startedRuns(read)).filter(({ id }) => id === run),
  ];
  for await (const queued of queuedRuns(read)) if (queued.id === run) found.push(await getRun(read, queued.id));
  assert.equal((await briefRuns(read, [run])).length, 1);
  assert.ok((await runsAfter(read, 0, 100)).some(({ id }) => id === run));
  await new NeededRuns().read(read);
  return found.map((one) => one?.damage ?? null);
};

export const damageCases = (backend: Backend): void => {
  test('a column that cannot be read is told by every reader of runs, and takes no other run with it', async () => {
    const store = await backend.open();
    for (const column of columns) {
      const [good, waits, runs] = [
        await submit(store, { key: 'k' }),
        await submit(store, { key: 'k' }),
        await runningRun(store),
      ];
      for (const text of badTexts) {
        // An object of anything is what extras may be, and settings and secrets are of texts.
        if (column === 'extras' && text.startsWith('{"argv"')) continue;
        await store.command(async (tx) => {
          await tx
            .updateTable('runs')
            .set({ [column]: text })
            .where('id', 'in', [waits, runs])
            .execute();
        });
        for (const run of [waits, runs]) {
          const said = await everyReader(store, run);
          assert.ok(said.length > 3);
          for (const one of said) assert.match(one ?? 'nothing', new RegExp(`^${column} `), `${column} ${text}`);
        }
        assert.deepEqual(new Set(await everyReader(store, good)), new Set([null]));
        const queued = new Map<RunId, string | null>();
        for await (const { id, damage } of queuedRuns(store.read)) queued.set(id, damage);
        assert.equal(queued.get(good), null);
        assert.match(queued.get(waits) ?? 'nothing', new RegExp(`^${column} `), 'it is known before its turn');
      }
      await store.command(async (tx) => {
        await tx.updateTable('runs').set({ state: 'failed' }).execute();
      });
    }
  });

  test('an event and a pause that cannot be read are told as such', async () => {
    const store = await backend.open();
    const run = await submit(store);
    await store.command(async (tx) => {
      for (const kind of ['good', 'bad']) await addEvent(tx, { run, at: millis(5), kind, data: { start: 1 } });
      await tx.updateTable('events').set({ data: '[' }).where('kind', '=', 'bad').execute();
      await tx.insertInto('meta').values({ key: 'paused', value: 'yes' }).execute();
      await tx.updateTable('runs').set({ paused: '{}' }).execute();
    });
    assert.deepEqual(
      (await eventsOfRun(store.read, run)).map(({ data }) => data),
      [{ start: 1 }, { unreadable: 'is not JSON' }],
    );
    assert.equal((await readPaused(store.read))?.by, 'somebody');
    assert.deepEqual(
      [(await getRun(store.read, run))?.paused?.by, (await getRun(store.read, run))?.damage],
      ['somebody', null],
    );
  });
};
