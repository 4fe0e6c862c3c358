/** What only the store in Postgres promises: its way to the server. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openStore } from '../../src/store/open-store.ts';
import { getRun } from '../../src/store/get-run.ts';
import { explainPostgres } from '../../src/store/postgres-errors.ts';
import { postgresMissing, startPostgres, type TestPostgres } from './postgres.ts';
import { submit } from './samples.ts';

test('a server that is not there is named without its password', async () => {
  const url = 'postgres://me:secret@/orca?host=/nowhere/at/all';
  await assert.rejects(openStore({ kind: 'postgres', url }), (error: Error & { hint?: string; code?: string }) => {
    assert.equal(error.code, 'store-unreachable');
    assert.doesNotMatch(error.message + (error.hint ?? ''), /secret/);
    return true;
  });
});

test('errors of the server are told apart by their codes', () => {
  const told = (code: string, message = 'why'): unknown =>
    (explainPostgres(Object.assign(new Error(message), { code })) as { code?: unknown }).code;
  assert.equal(told('53100'), 'store-full');
  for (const code of ['57P01', '08006', '3D000', '28P01', '53300', 'ECONNREFUSED', 'ENOENT', 'ENOTFOUND']) {
    assert.equal(told(code), 'store-unreachable', code);
  }
  assert.equal(told('', 'Connection terminated unexpectedly'), 'store-unreachable');
  assert.equal(told('25006'), 'store-unwritable');
  assert.equal(told('XX001'), 'store-corrupt');
  assert.equal(told('23505'), '23505', 'others stay as they are');
});

const missing = postgresMissing(process.env['ORCA_TEST_REQUIRE']);
describe('with a server', { skip: missing ?? false }, () => {
  let postgres: TestPostgres;
  before(async () => {
    postgres = await startPostgres();
  });
  after(async () => postgres.stop());

  test('when the server throws its clients out, a command fails as such and the next one works', async () => {
    const url = await postgres.newSchema();
    const store = await openStore({ kind: 'postgres', url });
    const run = await submit(store);
    const throwOut = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'orca'`;
    const cut = store.command(async (tx) => {
      await postgres.query(url, throwOut);
      await getRun(tx, run);
    });
    await assert.rejects(cut, { code: 'store-unreachable' });
    await postgres.query(url, throwOut);
    assert.equal(await submit(store), run + 1);
    assert.notEqual(await getRun(store.read, run), null);
    await store.close();
  });

  test('only batches with a durable command wait for the server’s disk', async () => {
    const store = await openStore({ kind: 'postgres', url: await postgres.newSchema() });
    const setting = async (durable: boolean): Promise<unknown> =>
      store.command(
        async (tx) => {
          const row = await tx
            .selectNoFrom((eb) => eb.fn<string>('current_setting', [eb.val('synchronous_commit')]).as('value'))
            .executeTakeFirst();
          return row?.value;
        },
        { durable },
      );
    assert.deepEqual([await setting(false), await setting(true), await setting(false)], ['off', 'on', 'off']);
    await store.close();
  });
});
