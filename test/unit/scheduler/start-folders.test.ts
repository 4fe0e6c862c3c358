import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { StartFolders } from '../../../src/scheduler/start-folders.ts';

const setUp = (t: TestContext) => {
  const root = mkdtempSync(join(tmpdir(), 'orca-start-folders-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const open = (): StartFolders => new StartFolders(join(root, 'starts'), join(root, 'spares'));
  return { at: (name: string) => join(root, name === 'spares' ? name : `starts/${name}`), open, folders: open() };
};

test('a used folder comes back under another name, with room for the next records and nothing of the last', (t) => {
  const { at, folders } = setUp(t);
  assert.equal(folders.make(1, 1), at('1.1'));
  for (const name of ['begun', 'pid', 'exit', 'marks', 'other']) writeFileSync(at(`1.1/${name}`), `${name}\n`);
  folders.recycle(at('1.1'));
  assert.equal(existsSync(at('1.1')), false);
  assert.equal(folders.make(2, 1), at('2.1'));
  const sizes = readdirSync(at('2.1'))
    .toSorted()
    .map((name) => [name, readFileSync(at(`2.1/${name}`))] as const);
  assert.deepEqual(
    sizes.map(([name, text]) => [name, text.length]),
    [
      ['exit.tmp', 16_384],
      ['marks.tmp', 4096],
      ['pid.tmp', 4096],
    ],
  );
  assert.ok(sizes.every(([, text]) => text.every((byte) => byte === 0)));
  assert.deepEqual(readdirSync(at('spares')), []);
});

test('a name that is there is never given again, spare folders or not', (t) => {
  const { at, folders, open } = setUp(t);
  folders.make(1, 1);
  folders.recycle(at('1.1'));
  mkdirSync(at('2.1'));
  writeFileSync(at('2.1/begun'), '');
  const later = open();
  assert.equal(later.make(2, 1), null);
  assert.deepEqual(readdirSync(at('2.1')), ['begun']);
  later.make(3, 1);
  assert.equal(later.make(3, 1), null);
});

test('a later daemon takes the spare folders over without giving one name twice', (t) => {
  const { at, folders, open } = setUp(t);
  for (const run of [1, 2]) folders.make(run, 1);
  for (const name of ['1.1', '2.1']) folders.recycle(at(name));
  const later = open();
  later.make(3, 1);
  later.make(4, 1);
  later.recycle(at('3.1'));
  later.recycle(at('4.1'));
  assert.equal(readdirSync(at('spares')).length, 2);
});

test('a folder that holds what it should not is removed, not used', (t) => {
  const { at, folders } = setUp(t);
  folders.make(1, 1);
  mkdirSync(at('1.1/folder'));
  folders.recycle(at('1.1'));
  folders.make(2, 1);
  assert.deepEqual(readdirSync(at('2.1')), []);
});
