import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { prepareStateFolder } from '../../../src/client/state-folder.ts';
import type { StateHost } from '../../../src/client/state-host.ts';
import { OrcaError } from '../../../src/errors/orca-error.ts';

const disk = { type: 0xef53, bsize: 4096, bavail: 10, bfree: 10, blocks: 100, ffree: 10, files: 100 };

function setUp(
  t: TestContext,
  changes: Partial<StateHost> = {},
): { base: string; state: string; host: StateHost; said: string[] } {
  const base = mkdtempSync(join(tmpdir(), 'orca-state-'));
  t.after(() => rmSync(base, { recursive: true, force: true }));
  const said: string[] = [];
  const host: StateHost = {
    uid: userInfo().uid,
    machineId: 'machine-1',
    statfs: () => disk,
    refuge: join(base, 'refuge'),
    say: (sentence) => said.push(sentence),
    ...changes,
  };
  return { base, state: join(base, 'deep', 'state'), host, said };
}

const refusedAs = (code: string) => (error: unknown) => {
  assert.ok(error instanceof OrcaError);
  assert.equal(error.code, code);
  assert.equal(error.exitStatus, 120);
  assert.doesNotMatch(error.message + error.hint, /\{\w+\}/);
  return true;
};

test('a state folder that is not there is made, for its owner only, and marked as this machine’s', (t) => {
  const { state, host } = setUp(t);
  assert.equal(prepareStateFolder(state, host), state);
  assert.equal(statSync(state).mode & 0o777, 0o700);
  assert.equal(readFileSync(join(state, 'machine'), 'utf8'), 'machine-1\n');
  assert.equal(prepareStateFolder(state, host), state);
});

test('a link is refused, also when it leads to a fit folder', (t) => {
  const { base, host } = setUp(t);
  mkdirSync(join(base, 'real'), { mode: 0o700 });
  symlinkSync('real', join(base, 'link'));
  assert.throws(() => prepareStateFolder(join(base, 'link'), host), refusedAs('state-link'));
});

test('a file in the folder’s place is refused, and one in its parent’s', (t) => {
  const { base, host } = setUp(t);
  writeFileSync(join(base, 'file'), '');
  assert.throws(() => prepareStateFolder(join(base, 'file'), host), refusedAs('state-not-folder'));
  assert.throws(() => prepareStateFolder(join(base, 'file', 'below'), host), refusedAs('state-unwritable'));
});

test(
  'a folder below a link that leads nowhere, or in /proc, is refused',
  { skip: process.platform !== 'linux' },
  (t) => {
    const { base, host } = setUp(t, { statfs: (path) => (statSync(path), disk) });
    symlinkSync(join(base, 'nowhere'), join(base, 'link'));
    for (const state of [join(base, 'link', 'state'), '/proc/foo', '/proc/foo/bar'])
      assert.throws(() => prepareStateFolder(state, host), refusedAs('state-unwritable'));
  },
);

test('another user’s folder is refused', (t) => {
  const { state, host } = setUp(t);
  prepareStateFolder(state, host);
  assert.throws(() => prepareStateFolder(state, { ...host, uid: host.uid + 1 }), refusedAs('state-foreign'));
  if (host.uid !== 0) return;
  chownSync(state, 12345, 12345);
  assert.throws(() => prepareStateFolder(state, host), refusedAs('state-foreign'));
});

test('a folder that others may write is refused with the mode it has', (t) => {
  const { state, host } = setUp(t);
  prepareStateFolder(state, host);
  for (const mode of [0o720, 0o702, 0o777]) {
    chmodSync(state, mode);
    assert.throws(() => prepareStateFolder(state, host), refusedAs('state-shared'));
  }
  chmodSync(state, 0o755);
  assert.equal(prepareStateFolder(state, host), state);
});

test(
  'a folder that may not be written is refused',
  { skip: userInfo().uid === 0 ? 'root may write everywhere' : false },
  (t) => {
    const { state, host } = setUp(t);
    prepareStateFolder(state, host);
    chmodSync(state, 0o500);
    assert.throws(() => prepareStateFolder(state, host), refusedAs('state-unwritable'));
  },
);

test('a read-only file system is refused', (t) => {
  const { host } = setUp(t);
  // /proc takes no folders, whoever asks.
  assert.throws(() => prepareStateFolder('/proc/orca-state', host), refusedAs('state-unwritable'));
});

for (const [type, name] of [
  [0x6969, 'NFS'],
  [0xfe534d42, 'SMB 2'],
  [0xfe534d42 | 0, 'SMB 2'],
  [0x01021997, '9p'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
] as const) {
  test(`a folder on ${name} (type ${type}) moves to /var/tmp, nothing is made there, and it is said once`, (t) => {
    const { base, state, host, said } = setUp(t);
    const network: StateHost = {
      ...host,
      statfs: (path) => (path.startsWith(host.refuge) || path === base ? disk : { ...disk, type }),
    };
    mkdirSync(join(base, 'deep'));
    assert.equal(prepareStateFolder(state, network), host.refuge);
    assert.equal(prepareStateFolder(state, network), host.refuge);
    assert.equal(statSync(state, { throwIfNoEntry: false }), undefined);
    assert.equal(said.length, 1);
    assert.match(said[0] ?? '', new RegExp(`network file system \\(${name}\\)`));
    assert.equal(statSync(host.refuge).mode & 0o777, 0o700);
  });
}

test('another machine’s state is left alone', (t) => {
  const { state, host, said } = setUp(t);
  prepareStateFolder(state, host);
  assert.equal(prepareStateFolder(state, { ...host, machineId: 'machine-2' }), host.refuge);
  assert.match(said[0] ?? '', /another machine/);
  assert.equal(readFileSync(join(state, 'machine'), 'utf8'), 'machine-1\n');
});

test('a refuge that is another user’s is refused like any folder', (t) => {
  const { state, host } = setUp(t);
  prepareStateFolder(state, host);
  mkdirSync(host.refuge, { mode: 0o777 });
  chmodSync(host.refuge, 0o777);
  assert.throws(() => prepareStateFolder(state, { ...host, machineId: 'machine-2' }), refusedAs('state-shared'));
});

test('a network file system below /var/tmp as well is an error', (t) => {
  const { state, host } = setUp(t, { statfs: () => ({ ...disk, type: 0x6969 }) });
  assert.throws(() => prepareStateFolder(state, host), refusedAs('state-network'));
});

test('without a machine id nothing is marked and nothing moves', (t) => {
  const { state, host } = setUp(t, { machineId: null });
  assert.equal(prepareStateFolder(state, host), state);
  assert.equal(statSync(join(state, 'machine'), { throwIfNoEntry: false }), undefined);
});

test('a folder that holds something else is refused, and nothing is put into it', (t) => {
  const { base, host } = setUp(t);
  const theirs = join(base, 'project');
  mkdirSync(theirs, { mode: 0o700 });
  writeFileSync(join(theirs, 'notes.txt'), 'mine');
  assert.throws(() => prepareStateFolder(theirs, host), refusedAs('state-not-ours'));
  // Their folder of such a name is no mark.
  mkdirSync(join(theirs, 'machine'));
  assert.throws(() => prepareStateFolder(theirs, host), refusedAs('state-not-ours'));
  assert.deepEqual(readdirSync(theirs), ['machine', 'notes.txt']);
  if (host.uid === 0) assert.throws(() => prepareStateFolder('/', host), refusedAs('state-not-ours'));
});

test('an empty folder is taken, and so is one with a mark of orca whatever else lies there', (t) => {
  const { base, host } = setUp(t);
  for (const mark of [null, 'machine', 'lock.db']) {
    const folder = join(base, `of-${mark}`);
    mkdirSync(folder, { mode: 0o700 });
    if (mark !== null) for (const name of [mark, 'else']) writeFileSync(join(folder, name), '');
    assert.equal(prepareStateFolder(folder, host), folder);
  }
});
