import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { logSize, removeRunFolder, runFolders } from '../../../src/logs/run-folders.ts';

const folder = (t: TestContext): string => {
  const made = mkdtempSync(join(tmpdir(), 'orca-logs-'));
  t.after(() => rmSync(made, { recursive: true }));
  return made;
};
const write = (file: string, bytes: number): void => {
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, 'x'.repeat(bytes));
};

test('logs and samples of a run are told apart, and links are not followed', async (t) => {
  const logs = folder(t);
  write(join(logs, '_command/7/1.stdout'), 100);
  write(join(logs, '_command/7/1.stderr'), 20);
  write(join(logs, '_command/7/metrics/local.jsonl'), 3000);
  write(join(logs, 'elsewhere'), 100_000);
  symlinkSync(join(logs, 'elsewhere'), join(logs, '_command/7/link'));
  const { logs: bytes, samples } = await logSize(join(logs, '_command/7'));
  assert.equal(samples, 3000);
  assert.ok(bytes >= 120 && bytes < 1000, String(bytes));
  assert.deepEqual(await logSize(join(logs, '_command/8')), { logs: 0, samples: 0 });
});

test('only folders with the number of a run are folders of runs', async (t) => {
  const logs = folder(t);
  for (const name of [
    '_command/7',
    '_command/7.2',
    '_command/7.x',
    '_command/07',
    '_command/x',
    'nightly/12',
    '.hidden/3',
  ])
    mkdirSync(join(logs, name), { recursive: true });
  write(join(logs, '_command/9'), 1);
  symlinkSync(join(logs, 'nightly'), join(logs, 'linked'));
  symlinkSync(join(logs, 'nightly/12'), join(logs, 'nightly/13'));
  const found: number[] = [];
  for await (const { run } of runFolders(logs)) found.push(run);
  assert.deepEqual(
    found.sort((a, b) => a - b),
    [3, 7, 7, 12],
  );
  for await (const _ of runFolders(join(logs, 'none'))) assert.fail();
});

test('a run’s folder is removed with its links, and what they lead to stays', async (t) => {
  const logs = folder(t);
  write(join(logs, '_command/7/1.stdout'), 1);
  write(join(logs, 'mine/kept'), 1);
  symlinkSync(join(logs, 'mine'), join(logs, '_command/7/folder'));
  symlinkSync(join(logs, 'mine'), join(logs, '_command/8'));
  for (const run of [7, 8, 9]) await removeRunFolder(join(logs, '_command', String(run)));
  assert.equal(existsSync(join(logs, '_command/7')), false);
  assert.equal(existsSync(join(logs, '_command/8')), false);
  assert.equal(existsSync(join(logs, 'mine/kept')), true);
});

test('nothing is removed through a link in the place of a pipeline’s folder', async (t) => {
  const logs = folder(t);
  write(join(logs, 'elsewhere/7/mine'), 1);
  symlinkSync(join(logs, 'elsewhere'), join(logs, '_command'));
  await removeRunFolder(join(logs, '_command/7'));
  assert.equal(existsSync(join(logs, 'elsewhere/7/mine')), true);
});
