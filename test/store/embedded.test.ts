/** What only the embedded store promises: its file. */
import assert from 'node:assert/strict';
import {
  closeSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { sql } from 'kysely';
import { getRun } from '../../src/store/get-run.ts';
import { listRuns } from '../../src/store/list-runs.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { aRun, newToken, submit } from './samples.ts';
import { insertRuns } from '../../src/store/insert-runs.ts';

let folder = '';
let files = 0;
const open: Store[] = [];
const newFile = (): string => join(folder, `${++files}.db`);
const openFile = async (file: string): Promise<Store> => {
  const store = await openStore({ kind: 'embedded', file });
  open.push(store);
  return store;
};

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orca-embedded-'));
});
afterEach(async () => {
  for (const store of open.splice(0)) await store.close();
});
after(async () => rm(folder, { recursive: true }));

test('its files are readable by their owner only', async () => {
  const file = newFile();
  writeFileSync(file, '', { mode: 0o644 });
  const store = await openFile(file);
  await submit(store);
  const names = readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((path) => path.startsWith(file));
  assert.ok(names.includes(`${file}-wal`));
  for (const name of names) assert.equal(statSync(name).mode & 0o777, 0o600, name);
});

test('closing writes the log back, so that one file holds everything', async () => {
  const file = newFile();
  const store = await openFile(file);
  const run = await submit(store);
  await store.close();
  assert.deepEqual(
    readdirSync(folder).filter((name) => join(folder, name).startsWith(file)),
    [`${files}.db`],
  );
  const again = await openFile(file);
  assert.notEqual(await getRun(again.read, run), null);
});

test('a file that is something else is refused and left as it was', async () => {
  const file = newFile();
  const letter = 'Dear reader,\n'.repeat(1000);
  writeFileSync(file, letter);
  await assert.rejects(openFile(file), (error: Error) => {
    assert.match(error.message, /damaged, or is not a store of orca/);
    return 'code' in error && error.code === 'store-corrupt';
  });
  assert.equal(readFileSync(file, 'utf8'), letter);
});

test('a store with broken pages says so', async () => {
  const file = newFile();
  const store = await openFile(file);
  await store.command(async (tx) => insertRuns(tx, { token: 'a', runs: Array.from({ length: 300 }, () => aRun()) }));
  await store.close();
  const { size } = statSync(file);
  const handle = openSync(file, 'r+');
  for (let page = 4096; page < size; page += 4096) writeSync(handle, Buffer.alloc(4096, 0xa5), 0, 4096, page);
  ftruncateSync(handle, size);
  closeSync(handle);
  await assert.rejects(async () => listRuns((await openFile(file)).read, { limit: 1000 }), { code: 'store-corrupt' });
});

test('a folder that is missing, or is no folder, is named', async () => {
  const inTheWay = newFile();
  writeFileSync(inTheWay, '');
  const isFolder = join(folder, 'folder.db');
  await mkdir(isFolder);
  for (const file of [join(folder, 'nowhere', 'a.db'), join(inTheWay, 'a.db'), isFolder]) {
    await assert.rejects(openFile(file), { code: 'store-unwritable' }, file);
  }
});

test('a folder that may not be written is refused with a sentence', async () => {
  const closed = join(folder, 'closed');
  await mkdir(closed, { mode: 0o555 });
  await chmod(folder, 0o755);
  const isRoot = process.geteuid?.() === 0;
  // Root may write anywhere, so it steps down for a moment.
  if (isRoot) process.seteuid?.(65534);
  try {
    await assert.rejects(openFile(join(closed, 'a.db')), { code: 'store-unwritable' });
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
});

test('on a full disk a command is refused as such, and what was accepted is kept', async () => {
  const file = newFile();
  const store = await openFile(file);
  const accepted = await submit(store);
  await store.command(async (tx) => {
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(tx);
    await sql.raw(`pragma max_page_count = ${(rows[0]?.page_count ?? 0) + 20}`).execute(tx);
  });
  const long = 'x'.repeat(20_000);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, async () =>
      store.command(async (tx) => insertRuns(tx, { token: newToken(), runs: [aRun({ cwd: long })] }), {
        durable: true,
      }),
    ),
  );
  const kept = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value.ids : []));
  const refused = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason as { code: string }] : [],
  );
  assert.ok(refused.length > 0);
  for (const error of refused) assert.equal(error.code, 'store-full');

  await store.command(async (tx) => sql.raw('pragma max_page_count = 1000000').execute(tx));
  await store.close();
  const again = await openFile(file);
  const there = (await listRuns(again.read, { limit: 100 })).map((run) => run.id);
  assert.deepEqual(
    there.toSorted((a, b) => a - b),
    [accepted, ...kept],
  );
  assert.ok(!there.includes(await submit(again)));
});
