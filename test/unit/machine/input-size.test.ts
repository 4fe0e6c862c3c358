import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { inputSize } from '../../../src/machine/input-size.ts';

test('a file has its size, a folder that of all files in it, and links in it are not followed', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'orca-input-'));
  t.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'a/b'), { recursive: true });
  writeFileSync(join(folder, 'a/one'), 'x'.repeat(1000));
  writeFileSync(join(folder, 'a/b/two'), 'x'.repeat(24));
  symlinkSync(join(folder, 'a/one'), join(folder, 'a/link'));
  symlinkSync('..', join(folder, 'a/b/up'));
  assert.equal(await inputSize(join(folder, 'a/one')), 1000);
  assert.equal(await inputSize(join(folder, 'a')), 1024);
  assert.equal(await inputSize(join(folder, 'a/link')), 1000, 'what is named is followed');
  await assert.rejects(inputSize(join(folder, 'none')), { code: 'ENOENT' });
});

test('what is neither file nor folder has no size', async () => {
  assert.equal(await inputSize('/dev/null'), null);
});
