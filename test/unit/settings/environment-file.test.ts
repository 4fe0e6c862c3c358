import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { takeEnvironmentFile, writeEnvironmentFile } from '../../../src/settings/environment-file.ts';

const folderFor = (t: { after: (fn: () => void) => void }): string => {
  const folder = mkdtempSync(join(tmpdir(), 'orca-environment-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
};

test('an environment passes through a file that only its user reads and that is gone then, whatever is in it', (t) => {
  const file = join(folderFor(t), 'environment');
  const env = {
    PLAIN: 'x',
    EMPTY: '',
    ODD: ` 'single' "double" $HOME %h \\n \n\t=`,
    'BASH_FUNC_x%%': '() { :\n}',
    UNREADABLE: 'a\uFFFDb',
  };
  writeEnvironmentFile(file, env);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const into: NodeJS.ProcessEnv = { OF_THE_MANAGER: '1', PLAIN: 'other' };
  takeEnvironmentFile(file, into);
  assert.deepEqual({ ...into }, env);
  assert.ok(!existsSync(file));
});

test('a file that is there already is not written over', (t) => {
  const file = join(folderFor(t), 'environment');
  writeEnvironmentFile(file, {});
  assert.throws(() => writeEnvironmentFile(file, {}), { code: 'EEXIST' });
});
