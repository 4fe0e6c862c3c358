import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { getRun } from '../../../src/store/get-run.ts';
import type { Inserted } from '../../../src/store/insert-runs.ts';
import { listRuns } from '../../../src/store/list-runs.ts';
import { migrations } from '../../../src/store/migrations/all.ts';
import type { StorePlace } from '../../../src/store/store.ts';
import type { Backend } from '../backend.ts';
import { submit } from '../samples.ts';

const submitter = fileURLToPath(new URL('../fixtures/submitter.ts', import.meta.url));

const startSubmitter = async (place: StorePlace, tokens: readonly string[]) => {
  const child = spawn(process.execPath, [submitter, JSON.stringify(place), ...tokens], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), closed])) as [unknown];
  assert.equal(typeof line, 'string', 'the submitter ended without a word');
  const made = JSON.parse(String(line)) as readonly Inserted[];
  return {
    made,
    end: async (): Promise<void> => {
      child.stdin.end();
      await closed;
    },
    kill: async (): Promise<void> => {
      child.kill('SIGKILL');
      await closed;
    },
  };
};

export const programCases = (backend: Backend): void => {
  test('what was acknowledged is there after the program was killed at that moment', async () => {
    const place = await backend.newPlace();
    const child = await startSubmitter(place, ['a', 'b', 'c']);
    await child.kill();
    const store = await backend.open(place);
    for (const { ids } of child.made)
      assert.equal((await getRun(store.read, ids[0] ?? assert.fail()))?.state, 'queued');
    assert.equal(await submit(store), 4);
  });

  test('programs that open a new store at once agree on its schema, its tokens and its numbers', async () => {
    const place = await backend.newPlace();
    const own = (name: string): readonly string[] => Array.from({ length: 20 }, (_, index) => `${name}-${index}`);
    const children = await Promise.all(
      ['x', 'y', 'z'].map(async (name) => startSubmitter(place, ['shared', ...own(name)])),
    );
    await Promise.all(children.map(async (child) => child.end()));
    const shared = children.map((child) => child.made[0]);
    assert.equal(new Set(shared.map((made) => made?.ids.join())).size, 1);
    assert.equal(shared.filter((made) => made?.fresh).length, 1);
    const ids = children.flatMap((child) => child.made.slice(1)).flatMap((made) => made.ids);
    assert.equal(new Set(ids).size, 60);
    const store = await backend.open(place);
    assert.equal((await listRuns(store.read, { limit: 100 })).length, 61);
  });

  test('a store that a newer program changed in a breaking way is refused, untouched', async () => {
    const place = await backend.newPlace();
    const store = await backend.open(place);
    const run = await submit(store);
    const newer = async (number: number, breaking: number): Promise<void> =>
      store.command(async (tx) => {
        await sql`insert into migrations (number, name, breaking) values (${number}, 'of the future', ${breaking})`.execute(
          tx,
        );
      });
    await newer(98, 0);
    const again = await backend.open(place);
    assert.notEqual(await getRun(again.read, run), null, 'an addition that breaks nothing is no reason to refuse');
    await newer(99, 1);
    await assert.rejects(backend.open(place), {
      code: 'store-newer',
      params: { needs: 99, understood: migrations.length },
    });
    assert.notEqual(await getRun(store.read, run), null);
  });
};
