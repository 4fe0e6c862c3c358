import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { startService } from '../../../src/client/start-service.ts';
import type { ServiceManager } from '../../../src/client/service-manager.ts';
import { temporaryState } from './fake-daemon.ts';

/** Scripts in place of `systemd-run` and `systemctl`; the first one writes down how it was called. */
const fakes = (t: TestContext, run: string, ctl = 'exit 0') => {
  const state = temporaryState(t);
  const file = (name: string, text: string): string => {
    writeFileSync(join(state, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    return join(state, name);
  };
  const manager: ServiceManager = {
    kind: 'manager',
    whose: 'system',
    run: file('run', `echo "$*" >>'${state}/called'\n${run}`),
    ctl: file('ctl', ctl),
    env: { PATH: '/usr/bin:/bin' },
  };
  const program = { version: '1.0.0', builtAt: 0, entry: '/opt/main.js', node: '/usr/bin/node' };
  const start = () => startService(manager, { state, log: `${state}/log`, program, env: { SECRET: 'x' } });
  const called = (): string[] => readFileSync(`${state}/called`, 'utf8').trim().split('\n');
  const environments = (): string[] => readdirSync(state).filter((name) => name.startsWith('environment'));
  return { state, start, called, environments };
};

test('each service has a name of its own, and its environment in a file', async (t) => {
  const { start, called, environments } = fakes(t, 'exit 0');
  const services = [await start(), await start()];
  assert.deepEqual(
    services.map((service) => service.gone()),
    [false, false],
  );
  const names = called().map((line) => /--unit=(orca-[0-9a-f]{8}\.service)/.exec(line)?.[1]);
  assert.equal(new Set(names).size, 2);
  assert.equal(environments().length, 2);
});

test('a service that systemd refuses is told with its last words, and leaves no file', async (t) => {
  const { start, environments } = fakes(
    t,
    'echo one >&2; echo "Failed to connect to bus: No medium found" >&2; exit 1',
  );
  await assert.rejects(start(), { message: 'Failed to connect to bus: No medium found' });
  assert.deepEqual(environments(), []);
});

test('an environment that a client left whose service never came is removed by the next one, not one that is new', async (t) => {
  const { state, start, environments } = fakes(t, 'exit 0');
  const [left, fresh, another] = ['environment.0000000a', 'environment.0000000b', 'environment.toml'];
  for (const name of [left, fresh, another]) writeFileSync(join(state, name), 'x');
  const old = Date.now() / 1000 - 70;
  for (const name of [left, another]) utimesSync(join(state, name), old, old);
  await start();
  assert.deepEqual(
    [left, fresh, another].map((name) => environments().includes(name)),
    [false, true, true],
  );
});

test('an older systemd is asked again for what it knows', async (t) => {
  const { start, called } = fakes(
    t,
    `case "$*" in *ExitType*) echo 'Unknown assignment: ExitType=cgroup' >&2; exit 1 ;; esac`,
  );
  await start();
  assert.deepEqual(
    called().map((line) => line.includes('ExitType')),
    [true, false],
  );
});

test('a service that is no more is noticed, and its file goes; a systemctl that does not know says nothing', async (t) => {
  const ended = fakes(t, 'exit 0', 'exit 3');
  const service = await ended.start();
  while (!service.gone()) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.deepEqual(ended.environments(), []);
  const unknown = fakes(t, 'exit 0', `touch "$(dirname "$0")/asked"; exit 1`);
  const other = await unknown.start();
  while (!existsSync(join(unknown.state, 'asked'))) {
    assert.equal(other.gone(), false);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(other.gone(), false);
});
