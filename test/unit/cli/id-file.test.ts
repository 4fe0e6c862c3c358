import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { IdFile, idFileLost } from '../../../src/cli/id-file.ts';
import { temporaryState } from '../client/fake-daemon.ts';

const here = (folder: string) => ({ cwd: { path: folder, bytes: null } });

test('a file of handles holds one a line, whole, in the place of what was there; nothing else is left', (t) => {
  const folder = temporaryState(t);
  writeFileSync(join(folder, 'id'), 'an earlier one');
  const file = IdFile.check(here(folder), 'id');
  assert.equal(readFileSync(join(folder, 'id'), 'utf8'), 'an earlier one', 'checking changes nothing');
  assert.equal(file.write(['g12', '7']), null);
  assert.equal(readFileSync(join(folder, 'id'), 'utf8'), 'g12\n7\n');
  assert.equal(file.write(['g13']), null);
  assert.deepEqual([readFileSync(join(folder, 'id'), 'utf8'), readdirSync(folder)], ['g13\n', ['id']]);
});

test('a link is followed, and stays', (t) => {
  const folder = temporaryState(t);
  writeFileSync(join(folder, 'real'), '');
  symlinkSync('real', join(folder, 'link'));
  assert.equal(IdFile.check(here(folder), 'link').write(['12']), null);
  assert.equal(readFileSync(join(folder, 'real'), 'utf8'), '12\n');
  assert.deepEqual(readdirSync(folder).toSorted(), ['link', 'real']);
});

test('a place that cannot hold it is refused, and nothing is left there', (t) => {
  const folder = temporaryState(t);
  mkdirSync(join(folder, 'folder'));
  writeFileSync(join(folder, 'file'), '');
  for (const [path, why] of [
    ['folder', 'it is a folder'],
    ['missing/id', 'its folder is not there'],
    ['file/id', 'not a directory'],
    ['/dev/null', 'it is no ordinary file'],
    ['/proc/id', ''],
    ['x'.repeat(300), 'name too long'],
  ] as const) {
    assert.throws(() => IdFile.check(here(folder), path), {
      code: 'id-file-unwritable',
      exitStatus: 120,
      message: new RegExp(`^The file .* cannot be written: .*${why}`),
    });
  }
  assert.deepEqual(readdirSync(folder).toSorted(), ['file', 'folder']);
});

test('a file that can no longer be written is told with what was accepted', (t) => {
  const folder = temporaryState(t);
  const file = IdFile.check(here(folder), 'id');
  mkdirSync(join(folder, 'id'));
  const why = file.write(['12']) ?? assert.fail();
  assert.match(why, /\/id could not be written: /);
  assert.deepEqual(readdirSync(folder), ['id']);
  const error = idFileLost([7, 8], why);
  assert.equal(error.exitStatus, 122);
  assert.match(error.message, /^Runs 7 to 8 are accepted, but .*could not be written/);
  assert.equal(error.hint, '`orca wait 7 8` waits for the end.');
});
