import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { makeFolders } from '../../../src/machine/make-folders.ts';

const temporary = (t: TestContext): string => {
  const folder = mkdtempSync(join(tmpdir(), 'orca-make-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
};

test('a folder is made with its parents, for its owner alone, and one that is there is left', (t) => {
  const folder = temporary(t);
  const deep = join(folder, 'a', 'b', 'c');
  assert.equal(makeFolders(deep), true);
  for (const path of [deep, join(folder, 'a')]) assert.equal(statSync(path).mode & 0o777, 0o700);
  assert.equal(makeFolders(deep), false);
  symlinkSync(deep, join(folder, 'link'));
  assert.equal(makeFolders(join(folder, 'link')), false);
  assert.equal(makeFolders(join(folder, 'link', 'd')), true);
  assert.equal(makeFolders('/'), false);
});

test(
  'where the system makes none it is refused, and nothing is tried for ever',
  { skip: process.platform !== 'linux' },
  () => {
    for (const path of ['/proc/foo', '/proc/foo/bar/baz']) assert.throws(() => makeFolders(path), { code: 'ENOENT' });
  },
);

test('a dangling link and a file in the way are refused, by name', (t) => {
  const folder = temporary(t);
  const [link, file] = [join(folder, 'link'), join(folder, 'file')];
  symlinkSync(join(folder, 'nowhere', 'at', 'all'), link);
  writeFileSync(file, '');
  for (const path of [link, join(link, 'a'), join(link, 'a', 'b')])
    assert.throws(() => makeFolders(path), { code: 'EEXIST', path: link });
  assert.throws(() => makeFolders(file), { code: 'EEXIST', path: file });
  assert.throws(() => makeFolders(join(file, 'a')), { code: 'ENOTDIR' });
});
