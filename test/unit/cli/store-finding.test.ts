import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { listeningOf, storeAhead, storeFinding } from '../../../src/cli/store-finding.ts';
import { AnsweredError } from '../../../src/client/answered-error.ts';

test('without an address the store is a file', async () => {
  assert.deepEqual(await storeAhead(''), {
    what: 'store',
    level: 'ok',
    found: 'a file in the state folder',
    help: null,
  });
});

test('where a PostgreSQL listens is read as its clients do', () => {
  assert.deepEqual(listeningOf('postgres://me:pw@db.example/orca'), { host: 'db.example', port: 5432 });
  assert.deepEqual(listeningOf('postgresql://[::1]:6000/x'), { host: '::1', port: 6000 });
  assert.deepEqual(listeningOf('postgres:///orca'), { host: 'localhost', port: 5432 });
  assert.deepEqual(listeningOf('postgres:///orca?host=/run/pg&port=5433'), { path: '/run/pg/.s.PGSQL.5433' });
  assert.equal(listeningOf('postgres://db:99999999/x'), null);
  assert.equal(listeningOf('postgres://db/x?port=http'), null);
});

test('a server that accepts connections is told as that, and one that does not as broken, without the password', async (t) => {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  t.after(() => server.close());
  const url = `postgres://me:secret@127.0.0.1:${port}/orca`;
  const there = await storeAhead(url);
  assert.deepEqual([there.level, there.found], ['ok', `PostgreSQL at 127.0.0.1:${port} accepts connections`]);
  await new Promise((resolve) => {
    server.close(resolve);
  });
  const gone = await storeAhead(url);
  assert.equal(gone.level, 'broken');
  assert.match(gone.found, /^PostgreSQL at 127\.0\.0\.1:\d+ cannot be reached: connection refused$/);
  assert.match(gone.help ?? '', /ORCA_STORE_URL/);
});

test('of several addresses of a name the first error is told', async () => {
  const errors = [new Error('the first'), new Error('the second')];
  const finding = await storeAhead('postgres://localhost/x', () => Promise.reject(new AggregateError(errors)));
  assert.match(finding.found, /cannot be reached: the first$/);
});

test('a daemon that runs is asked, and its own words on the store are passed on', async () => {
  const asking = (peekStore: () => Promise<boolean>) => storeFinding({ peekStore });
  assert.equal((await asking(() => Promise.resolve(true)))?.level, 'ok');
  assert.equal(await asking(() => Promise.resolve(false)), null);
  const error = { code: 'store-unreachable', message: 'Postgres cannot be reached: x.', hint: 'Check it.', exit: 120 };
  const broken = await asking(() => Promise.reject(new AnsweredError({ error })));
  assert.deepEqual(broken, { what: 'store', level: 'broken', found: error.message, help: error.hint });
});
