import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findServiceManager, type ManagerHost } from '../../../src/client/service-manager.ts';

const systemd = ['/run/systemd/system', '/sys/fs/cgroup/cgroup.controllers'];
const programs = ['/usr/bin/systemd-run', '/usr/bin/systemctl'];
const linger = '/var/lib/systemd/linger/ada';
const manager = '/run/user/1000/systemd/private';

const find = (files: readonly string[], own: Partial<ManagerHost> = {}) =>
  findServiceManager({
    uid: 1000,
    user: 'ada',
    path: '/usr/bin:/bin',
    exists: (file) => files.includes(file),
    mayRun: (file) => files.includes(file),
    ...own,
  });

test('root has the systemd of the machine', () => {
  assert.deepEqual(find([...systemd, ...programs], { uid: 0, user: 'root' }), {
    kind: 'manager',
    whose: 'system',
    run: '/usr/bin/systemd-run',
    ctl: '/usr/bin/systemctl',
    env: {},
  });
});

test('a user who lingers has the own systemd, found without a variable of a session', () => {
  const found = find([...systemd, ...programs, linger, manager]);
  assert.ok(found.kind === 'manager');
  assert.deepEqual([found.whose, found.env], ['user', { XDG_RUNTIME_DIR: '/run/user/1000' }]);
});

test('a user who does not linger, or is in no user database, has none', () => {
  assert.deepEqual(find([...systemd, ...programs, manager]), { kind: 'none', word: { kind: 'no-linger' } });
  assert.deepEqual(find([...systemd, ...programs, linger, manager], { user: null }), {
    kind: 'none',
    word: { kind: 'no-linger' },
  });
});

test('a user who lingers, but whose systemd does not run, has none', () => {
  assert.deepEqual(find([...systemd, ...programs, linger]), { kind: 'none', word: { kind: 'no-manager', uid: 1000 } });
});

test('where systemd did not boot the machine, or cgroup v2 is not the only one, there is nothing to say', () => {
  for (const missing of systemd) {
    const files = [...systemd, ...programs, linger, manager].filter((file) => file !== missing);
    assert.deepEqual(find(files), { kind: 'none', word: null });
  }
});

test('systemd-run is looked for on PATH, then where it usually is; without it there is none', () => {
  const there = [...systemd, linger, manager];
  const first = find([...there, ...programs, '/opt/bin/systemd-run'], { path: 'here::/opt/bin:/usr/bin' });
  assert.equal(first.kind === 'manager' && first.run, '/opt/bin/systemd-run');
  const none = find([...there, ...programs], { path: undefined });
  assert.equal(none.kind === 'manager' && none.run, '/usr/bin/systemd-run');
  assert.deepEqual(find(there), { kind: 'none', word: { kind: 'no-systemd-run' } });
});
