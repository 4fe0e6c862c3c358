import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadSettings } from '../../../src/settings/load-settings.ts';
import type { Settings } from '../../../src/settings/settings.ts';

const loaded = async (env: Record<string, string>): Promise<Settings> =>
  (await loadSettings({ env, homeFolder: '/home/ada', files: [], readText: () => null })).settings;

test('control allows 2 runs of 1024 MB each, with nice 10 and one worker, unless it is told otherwise', async () => {
  const names = [
    'ORCA_CONTROL_MAX_RUNS',
    'ORCA_CONTROL_MEMORY_MB',
    'ORCA_CONTROL_NICE',
    'ORCA_CONTROL_WORKERS',
  ] as const;
  const usual = await loaded({});
  assert.deepEqual(
    names.map((name) => usual.get(name)),
    [2, 1024, 10, 1],
  );
  assert.equal(usual.get('ORCA_RUNNER'), 'local');
  const other = await loaded(Object.fromEntries(names.map((name, index) => [name, String(index + 3)])));
  assert.deepEqual(
    names.map((name) => other.get(name)),
    [3, 4, 5, 6],
  );
});

test('what control cannot be told is refused', async () => {
  for (const [name, value] of [
    ['ORCA_CONTROL_MAX_RUNS', '0'],
    ['ORCA_CONTROL_MEMORY_MB', '0'],
    ['ORCA_CONTROL_NICE', '-1'],
    ['ORCA_CONTROL_NICE', '20'],
    ['ORCA_CONTROL_WORKERS', 'many'],
    ['ORCA_RUNNER', 'ec2'],
    ['ORCA_SECRETS_ENDPOINT', '127.0.0.1:80'],
  ] as const)
    await assert.rejects(loaded({ [name]: value }), { code: 'setting-invalid' }, `${name}=${value}`);
});

test('a command for secrets has its quotes closed', async () => {
  assert.equal((await loaded({ ORCA_SECRET_FETCH: "vault 'read it'" })).get('ORCA_SECRET_FETCH'), "vault 'read it'");
  await assert.rejects(loaded({ ORCA_SECRET_FETCH: "vault 'read it" }), /a quote in it is not closed/);
});
