import assert from 'node:assert/strict';
import { test } from 'node:test';
import { containmentAhead, containmentFinding, heldFindings } from '../../../src/cli/containment-finding.ts';
import { FakeKernel } from '../containment/fake-kernel.ts';

const top = '/sys/fs/cgroup';

const kernelWith = (controllers: readonly string[]): FakeKernel => {
  const kernel = new FakeKernel(top, { controllers });
  kernel.place(`${top}/user/box`, '100');
  kernel.others.set('/proc/self/cgroup', '0::/user/box\n');
  kernel.others.set('/proc/self/mountinfo', `30 23 0:26 / ${top} rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n`);
  return kernel;
};
const ahead = (fs: FakeKernel, wanted = true) =>
  containmentAhead({ fs, procRoot: '/proc', wanted, systemd: false }, { kind: 'none', word: null });

test('a daemon that runs says where the cgroups of its runs are, or why there are none and what helps', () => {
  const noCeiling = { ceiling_bytes: null, ceiling_why: null };
  const on = containmentFinding({ containment: { on: true, why: 'runs have them in /a', advice: null, ...noCeiling } });
  assert.deepEqual([on.level, on.help], ['ok', null]);
  assert.match(on.found, /^runs have them in \/a;/);
  const why = 'it is read-only';
  const off = containmentFinding({ containment: { on: false, why, advice: 'mount it otherwise', ...noCeiling } });
  assert.deepEqual(
    [off.level, off.found, off.help],
    ['warn', 'limits are watched by sampling: it is read-only', 'mount it otherwise'],
  );
});

test('a daemon that runs says what all its runs together may have, or why nothing sees to it', () => {
  const found = (ceiling_bytes: number | null, ceiling_why: string | null): string =>
    containmentFinding({ containment: { on: true, why: 'on', advice: null, ceiling_bytes, ceiling_why } }).found;
  assert.equal(found(20 * 1024 ** 3, null), 'on; all together may have 20 GB');
  assert.equal(found(null, 'it is the top'), 'on; no ceiling over all together: it is the top');
});

test('a daemon of a version without cgroups is taken for what it is', () => {
  const { level, help } = containmentFinding({});
  assert.deepEqual([level, help], ['warn', 'orca restart']);
});

test('without a daemon the place is told in which the next one would put them', () => {
  const { level, found } = ahead(kernelWith(['cpu', 'memory', 'pids']));
  assert.deepEqual([level, found], ['ok', `runs will have cgroups of their own in ${top}/user/box`]);
});

test('without a daemon the reason is told why the next one would have none, and nothing is changed', () => {
  const kernel = kernelWith(['cpu', 'memory', 'pids']);
  kernel.unwritable.add(`${top}/user/box/cgroup.procs`);
  const folders = [...kernel.groups.keys()];
  const { level, found, help } = ahead(kernel);
  assert.equal(level, 'warn');
  assert.match(found, /sampling: the cgroup \/sys\/fs\/cgroup\/user\/box is not delegated to this user/);
  assert.match(help ?? '', /^sudo chown /);
  assert.match(ahead(kernelWith(['cpu'])).found, /memory/);
  assert.match(ahead(kernel, false).found, /ORCA_CGROUPS is 0$/);
  assert.deepEqual([...kernel.groups.keys()], folders);
});

test('a kernel that tells no pressure finds nobody held, with how to boot it; else nothing is said', () => {
  assert.deepEqual(
    heldFindings(() => 'some avg10=0.00\n'),
    [],
  );
  const [finding] = heldFindings(() => null);
  assert.equal(finding?.level, 'warn');
  assert.match(finding?.help ?? '', /psi=1 .* if the kernel was built with CONFIG_PSI$/);
});

test('without a daemon, systemd is told where it would start the next one', () => {
  const kernel = kernelWith(['memory']);
  const host = { fs: kernel, procRoot: '/proc', wanted: true, systemd: true };
  const manager = { kind: 'manager', run: '/usr/bin/systemd-run', ctl: '/usr/bin/systemctl', env: {} } as const;
  assert.match(
    containmentAhead(host, { ...manager, whose: 'user' }).found,
    /a service that this user's systemd starts/,
  );
  assert.match(containmentAhead(host, { ...manager, whose: 'system' }).found, /a service that systemd starts/);
  kernel.unwritable.add(`${top}/user/box`);
  const { found, help } = containmentAhead(host, { kind: 'none', word: { kind: 'no-linger' } });
  assert.match(found, /does not linger$/);
  assert.equal(help, 'loginctl enable-linger && orca restart');
});
