/** When a command's result is heard, and what a broken engine does to it. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, afterEach, test } from 'node:test';
import { sql } from 'kysely';
import { OrcaError } from '../../src/errors/orca-error.ts';
import { CommandQueue } from '../../src/store/command-queue.ts';
import { openEmbedded } from '../../src/store/embedded.ts';
import type { Engine } from '../../src/store/engine.ts';
import { getMeta, setMeta } from '../../src/store/meta.ts';
import { migrate } from '../../src/store/migrate.ts';
import { migrations } from '../../src/store/migrations/all.ts';

let folder = '';
let files = 0;
let engine: Engine;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orca-queue-'));
});
beforeEach(() => {
  engine = openEmbedded(join(folder, `${++files}.db`));
});
afterEach(async () => engine.close());
after(async () => rm(folder, { recursive: true }));

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
};

test('a durable command is heard of only after its log is on disk, others after the commit', async () => {
  await migrate(engine);
  let syncs = 0;
  let onDisk = (): void => {};
  const disk = new Promise<void>((resolve) => (onDisk = resolve));
  const queue = new CommandQueue({ ...engine, sync: async () => (syncs++, disk) });
  const heard: string[] = [];
  const durable = queue
    .add(async (tx) => setMeta(tx, 'down', '1'), { durable: true })
    .then(() => heard.push('durable'));
  await queue.add(async (tx) => getMeta(tx, 'down')).then(() => heard.push('other'));
  await queue.add(async (tx) => getMeta(tx, 'down')).then(() => heard.push('next batch'));
  await turns(20);
  assert.deepEqual(heard, ['other', 'next batch']);
  assert.equal(await getMeta(engine.read, 'down'), '1', 'it is committed all the same');
  assert.equal(syncs, 1, 'a batch without a durable command asks for no sync');
  onDisk();
  await durable;
  await queue.close();
});

test('when the log cannot reach the disk, durable commands fail with what to do', async () => {
  await migrate(engine);
  const full = Object.assign(new Error('ENOSPC: no space left on device, fdatasync'), { code: 'ENOSPC' });
  const queue = new CommandQueue({ ...engine, sync: async () => Promise.reject(full) });
  const durable = queue.add(async (tx) => setMeta(tx, 'down', '1'), { durable: true });
  const other = queue.add(async (tx) => setMeta(tx, 'down', '2'));
  await assert.rejects(durable, { code: 'store-full' });
  await other;
  await queue.close();
});

test('when a batch cannot begin or commit, all of its commands fail, and later ones are tried again', async () => {
  await migrate(engine);
  let broken = true;
  const queue = new CommandQueue({ ...engine, begin: () => (broken ? 'begin nonsense' : 'begin') });
  const failed = await Promise.allSettled([1, 2, 3].map(async () => queue.add(async (tx) => setMeta(tx, 'down', '1'))));
  assert.deepEqual(new Set(failed.map((outcome) => outcome.status)), new Set(['rejected']));
  broken = false;
  await queue.add(async (tx) => setMeta(tx, 'down', '2'));
  assert.equal(await getMeta(engine.read, 'down'), '2');

  const undone = [1, 2].map(async () => queue.add(async (tx) => setMeta(tx, 'down', '3')));
  // As a full disk does it: the transaction is gone under the commands.
  undone.push(queue.add(async (tx) => void (await sql`rollback`.execute(tx))));
  const outcomes = await Promise.allSettled(undone);
  assert.deepEqual(new Set(outcomes.map((outcome) => outcome.status)), new Set(['rejected']));
  assert.equal(await getMeta(engine.read, 'down'), '2');
  await queue.add(async (tx) => setMeta(tx, 'down', '4'));
  await queue.close();
});

test('a migration that fails leaves the store as it was', async () => {
  await migrate(engine);
  const halfWay = {
    number: migrations.length + 1,
    name: 'half way',
    breaking: true,
    up: async (db: Engine['write']): Promise<void> => {
      await sql`create table half (n bigint)`.execute(db);
      throw new Error('half way');
    },
  };
  await assert.rejects(migrate(engine, [...migrations, halfWay]), /half way/);
  await assert.rejects(sql`select * from half`.execute(engine.write), /no such table/);
  await migrate(engine);
  const made = {
    ...halfWay,
    up: async (db: Engine['write']) => void (await sql`create table half (n bigint)`.execute(db)),
  };
  await migrate(engine, [...migrations, made]);
  await migrate(engine, [...migrations, made]);
  await assert.rejects(migrate(engine), { code: 'store-newer' });
});

test('what a command gives while it runs joins its batch, unless it asks for the disk and the batch does not', async () => {
  await migrate(engine);
  let begun = 0;
  const counting: Engine = { ...engine, begin: (durable) => (begun++, engine.begin(durable)) };
  const queue = new CommandQueue(counting);
  const inner: Promise<unknown>[] = [];
  await queue.add(async (tx) => {
    await setMeta(tx, 'down', '1');
    inner.push(queue.add(async (later) => getMeta(later, 'down')));
  });
  assert.deepEqual(await Promise.all(inner), ['1']);
  assert.equal(begun, 1, 'one transaction for both');

  await queue.add(async () => {
    inner.push(queue.add(async (later) => getMeta(later, 'down'), { durable: true }));
  });
  await Promise.all(inner);
  assert.equal(begun, 3, 'a batch that was begun without the disk takes no command that asks for it');
  await queue.close();
});

test('a command that fails takes back what it wrote, and not what it gave', async () => {
  await migrate(engine);
  const queue = new CommandQueue(engine);
  const inner: Promise<unknown>[] = [];
  const failed = queue.add(async (tx) => {
    await setMeta(tx, 'down', 'of the one that fails');
    inner.push(queue.add(async (later) => getMeta(later, 'down')));
    throw new Error('no');
  });
  await assert.rejects(failed, /no/);
  assert.notEqual(await inner[0], 'of the one that fails');
  await queue.close();
});

test('all that was committed is on disk when asked for, and an error there is told in a person’s words', async () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, fdatasync'), { code: 'ENOSPC' });
  let flushed = 0;
  await new CommandQueue({ ...engine, flush: async () => void flushed++ }).onDisk();
  assert.equal(flushed, 1);
  const broken = new CommandQueue({ ...engine, flush: async () => Promise.reject(full) });
  await assert.rejects(broken.onDisk(), { code: 'store-full' });
  await broken.close();
});

test('a commit during which the connection breaks is in doubt; what fails before it is not', async () => {
  await migrate(engine);
  const away = new OrcaError('store-unreachable', { why: 'Connection terminated unexpectedly' });
  const queue = new CommandQueue({ ...engine, explain: () => away });
  let doubts = 0;
  queue.whenInDoubt = () => (doubts += 1);
  await assert.rejects(
    queue.add(async () => Promise.reject(new Error('odd'))),
    away,
  );
  assert.equal(doubts, 0);
  await queue.add(async (tx) => {
    await sql`create table parent (id integer primary key)`.execute(tx);
    await sql`create table child (id integer references parent (id) deferrable initially deferred)`.execute(tx);
  });
  // Found at the commit only.
  await assert.rejects(
    queue.add(async (tx) => sql`insert into child values (1)`.execute(tx)),
    away,
  );
  assert.equal(doubts, 1);
  await queue.close();
});
