import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { machineCapacity } from '../../../src/machine/capacity.ts';
import { parseCfsQuota, parseCpuMax, readCpuQuota } from '../../../src/machine/cpu-quota.ts';
import { bytes } from '../../../src/units/brands.ts';

let box = '';
beforeEach(() => {
  box = mkdtempSync(join(tmpdir(), 'orca-quota-'));
});
afterEach(() => {
  rmSync(box, { recursive: true });
});
const roots = (): { procRoot: string; cgroupRoot: string } => ({
  procRoot: join(box, 'proc'),
  cgroupRoot: join(box, 'cgroup'),
});
const put = (file: string, text: string): void => {
  mkdirSync(dirname(join(box, file)), { recursive: true });
  writeFileSync(join(box, file), text);
};

test('a quota is cores, max is none, and so is what is no quota', () => {
  assert.equal(parseCpuMax('150000 100000\n'), 1.5);
  for (const text of ['max 100000\n', '', '100000', '0 100000', '1 0', '-1 100000', 'a b', '1 2 3'])
    assert.equal(parseCpuMax(text), null, text);
  assert.equal(parseCfsQuota('400000\n', '100000\n'), 4);
  for (const [quota, period] of [
    ['-1', '100000'],
    ['', ''],
    ['0', '100000'],
    ['100000', '0'],
    ['max', '100000'],
  ] as const)
    assert.equal(parseCfsQuota(quota, period), null);
});

test('of nested quotas the smallest holds', () => {
  put('proc/self/cgroup', '0::/outer/inner\n');
  put('cgroup/outer/cpu.max', '200000 100000\n');
  put('cgroup/outer/inner/cpu.max', 'max 100000\n');
  assert.equal(readCpuQuota(roots()), 2);
  put('cgroup/outer/inner/cpu.max', '100000 100000\n');
  assert.equal(readCpuQuota(roots()), 1);
});

test('version 1 is read wherever its controller is mounted, also in a container that sees its own cgroup as the top', () => {
  put('proc/self/cgroup', '5:cpu,cpuacct:/docker/box\n0::/\n');
  put('cgroup/cpu/cpu.cfs_quota_us', '300000\n');
  put('cgroup/cpu/cpu.cfs_period_us', '100000\n');
  assert.equal(readCpuQuota(roots()), 3);
  put('cgroup/cpu,cpuacct/docker/box/cpu.cfs_quota_us', '200000\n');
  put('cgroup/cpu,cpuacct/docker/box/cpu.cfs_period_us', '100000\n');
  assert.equal(readCpuQuota(roots()), 2);
});

test('without files there is no quota', () => {
  assert.equal(readCpuQuota(roots()), null);
  put('proc/self/cgroup', 'garbage\n');
  assert.equal(readCpuQuota(roots()), null);
});

test('a machine has the cores of the quota, in whole ones and one at the least, and never more than it has', () => {
  const cpus = (quota: string): number => {
    put('proc/self/cgroup', '0::/\n');
    put('cgroup/cpu.max', quota);
    return machineCapacity(roots(), null, { cpus: 4, memoryBytes: bytes(1000) }).cpus;
  };
  assert.deepEqual(['250000 100000', '50000 100000', '900000 100000', 'max 100000'].map(cpus), [2, 1, 4, 4]);
});
