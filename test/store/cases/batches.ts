import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { getMeta, setMeta } from '../../../src/store/meta.ts';
import { getRun } from '../../../src/store/get-run.ts';
import { takeIds } from '../../../src/store/ids.ts';
import { runId } from '../../../src/units/brands.ts';
import type { Backend } from '../backend.ts';
import { submit } from '../samples.ts';

export const batchCases = (backend: Backend): void => {
  test('a command that fails takes back only itself', async () => {
    const store = await backend.open();
    const boom = new Error('boom');
    const results = await Promise.allSettled([
      submit(store),
      store.command(async (tx) => {
        await takeIds(tx, 'run', 1000);
        throw boom;
      }),
      submit(store),
      store.command(async (tx) => {
        await tx.updateTable('runs').set({ cwd: '/changed' }).execute();
        await sql`select * from no_such_table`.execute(tx);
      }),
      submit(store),
    ]);
    assert.deepEqual(
      results.map((result) => result.status),
      ['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'],
    );
    assert.equal(results[1]?.status === 'rejected' && results[1].reason, boom);
    assert.deepEqual(
      [1, 2, 3].map((id) => runId(id)).length,
      (await store.read.selectFrom('runs').selectAll().where('cwd', '=', '/').execute()).length,
    );
  });

  test('a command that swallows a failed query fails whole', async () => {
    const store = await backend.open();
    const swallowing = store.command(async (tx) => {
      await setMeta(tx, 'down', 'before');
      await sql`select * from no_such_table`.execute(tx).catch(() => null);
      await setMeta(tx, 'down', 'after');
    });
    // SQLite lets a transaction go on after a failed statement, Postgres does not; neither keeps a half.
    const outcome = await swallowing.then(
      () => 'after',
      () => null,
    );
    assert.equal(await getMeta(store.read, 'down'), outcome);
    assert.equal(await submit(store), 1);
  });

  test('commands run one after another, in the order in which they were given', async () => {
    const store = await backend.open();
    const order: number[] = [];
    await Promise.all(
      Array.from({ length: 500 }, async (_, index) =>
        store.command(async (tx) => {
          await getMeta(tx, 'down');
          order.push(index);
          await setMeta(tx, 'down', String(index));
        }),
      ),
    );
    assert.deepEqual(
      order,
      Array.from({ length: 500 }, (_, index) => index),
    );
    assert.equal(await getMeta(store.read, 'down'), '499');
  });

  test('a reader sees nothing of a batch before its commit', async () => {
    const store = await backend.open();
    let seen: unknown = 'nothing read';
    await store.command(async (tx) => {
      await setMeta(tx, 'down', '1');
      seen = await getMeta(store.read, 'down');
    });
    assert.equal(seen, null);
    assert.equal(await getMeta(store.read, 'down'), '1');
  });

  test('closing waits for what was given, and refuses what comes later', async () => {
    const place = await backend.newPlace();
    const store = await backend.open(place);
    const given = Promise.all([
      submit(store),
      store.command(async (tx) => setMeta(tx, 'down', '1'), { durable: true }),
    ]);
    const closed = store.close();
    const [run] = await given;
    await closed;
    await assert.rejects(
      store.command(async (tx) => setMeta(tx, 'down', '2')),
      /closed/,
    );
    await store.close();
    const again = await backend.open(place);
    assert.equal(await getMeta(again.read, 'down'), '1');
    assert.notEqual(await getRun(again.read, run), null);
  });

  test('a word is kept, replaced and forgotten', async () => {
    const store = await backend.open();
    for (const word of ['1', '2', null, null, '3']) {
      await store.command(async (tx) => setMeta(tx, 'down', word));
      assert.equal(await getMeta(store.read, 'down'), word);
    }
  });
};
