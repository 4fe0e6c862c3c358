import assert from 'node:assert/strict';
import { test } from 'node:test';
import { earlyVariables, serviceCommand, type Service } from '../../../src/client/service-command.ts';
import type { ServiceManager } from '../../../src/client/service-manager.ts';

const manager: ServiceManager = {
  kind: 'manager',
  whose: 'user',
  run: '/usr/bin/systemd-run',
  ctl: '/usr/bin/systemctl',
  env: {},
};
const service: Service = {
  name: 'orca-01234567.service',
  state: '/state',
  log: '/state/daemon.log',
  program: { version: '1.0.0', builtAt: 0, entry: '/opt/$HOME/main.js', node: '/usr/bin/node' },
  environment: '/state/environment.01234567',
  early: { NODE_OPTIONS: '--a' },
  untilEmpty: true,
};
const propertiesOf = (command: readonly string[]): string[] =>
  command.filter((_, at) => command[at - 1] === '-p').map((property) => property.split('=')[0] ?? '');

test('the service keeps its cgroup, and nothing but its own main process is ended with it', () => {
  const command = serviceCommand(manager, service);
  for (const property of ['Delegate=yes', 'OOMPolicy=continue', 'KillMode=process', 'ExitType=cgroup'])
    assert.ok(command.includes(property), property);
  assert.ok(!command.includes('--scope'));
  assert.ok(command.includes('--user'));
  assert.ok(!serviceCommand({ ...manager, whose: 'system' }, service).includes('--user'));
});

test('a systemd that does not know how to wait for an empty cgroup is not asked to', () => {
  assert.ok(!propertiesOf(serviceCommand(manager, { ...service, untilEmpty: false })).includes('ExitType'));
});

test('what systemd would take for a variable in an argument stays what it is', () => {
  const command = serviceCommand(manager, service);
  const own = command.slice(command.indexOf('--') + 1);
  assert.equal(own[0], '/usr/bin/node');
  assert.deepEqual(own.slice(-4), ['/opt/$$HOME/main.js', 'daemon', '--environment', '/state/environment.01234567']);
});

test('only what must be there before the first line of the program is said to systemd', () => {
  const env = { NODE_OPTIONS: '--a', PASSWORD: 'x', ORCA_STORE_URL: 'postgres://x:y@z', LD_LIBRARY_PATH: '/l' };
  assert.deepEqual(earlyVariables(env), { NODE_OPTIONS: '--a', LD_LIBRARY_PATH: '/l' });
});
