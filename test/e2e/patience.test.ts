import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Orca } from './support/orca.ts';
import { until } from './support/until.ts';
import { untilWaiting } from './support/waiting.ts';

test('a broken config.toml while the daemon dies costs no run and no wait, and kill does not need the file', async (t) => {
  const orca = new Orca(t);
  const folder = join(orca.folder, '.config/orca');
  mkdirSync(folder, { recursive: true });
  const go = join(orca.folder, 'go');
  const running = orca.start(['run', '--', 'sh', '-c', `until [ -e '${go}' ]; do sleep 0.1; done; echo whole; exit 4`]);
  await untilWaiting(orca, [running]);
  const other = await orca.submit('--', 'sleep', '60');
  const waiting = orca.start(['wait', '1']);
  await untilWaiting(orca, [running, waiting]);
  writeFileSync(join(folder, 'config.toml'), 'bad bad');
  orca.killDaemon();
  await setTimeout(2000);
  rmSync(join(folder, 'config.toml'));
  writeFileSync(go, '');
  const [run, waited] = [await running.ended, await waiting.ended];
  assert.deepEqual([run.status, run.stdout, waited.status], [4, 'whole\n', 4], run.stderr + waited.stderr);
  assert.equal((await orca.status(1)).starts.length, 1);

  writeFileSync(join(folder, 'config.toml'), 'bad bad');
  const killed = await orca.run(['kill', '--now', String(other)]);
  rmSync(join(folder, 'config.toml'));
  assert.equal(killed.status, 0, killed.stderr);
  assert.match(killed.stderr, /config\.toml/);
});

test('the log of the store deleted alone is noticed, and what it held is written again', async (t) => {
  const orca = new Orca(t);
  await orca.run(['run', '--name', 'kept', '--', 'true']);
  const pid = orca.daemonPid();
  for (const file of readdirSync(orca.state)) if (file.endsWith('-wal')) rmSync(join(orca.state, file));
  await until(() => (orca.daemonPid() === pid ? null : true), 'another daemon serves');
  orca.killDaemon();
  assert.equal((await orca.status(1)).name, 'kept');
});
