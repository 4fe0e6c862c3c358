import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { readBootId } from '../../../src/machine/boot-id.ts';
import { machineCapacity } from '../../../src/machine/capacity.ts';
import { readMeminfo } from '../../../src/machine/meminfo.ts';
import { sharedCounterFile } from '../../../src/machine/shared-counter.ts';
import { readPss } from '../../../src/machine/smaps-rollup.ts';
import { bytes } from '../../../src/units/brands.ts';

let box = '';
beforeEach(() => {
  box = mkdtempSync(join(tmpdir(), 'orca-machine-'));
});
afterEach(() => {
  rmSync(box, { recursive: true });
});

const roots = (): { procRoot: string; cgroupRoot: string } => ({
  procRoot: join(box, 'proc'),
  cgroupRoot: join(box, 'cgroup'),
});
const put = (file: string, text: string): string => {
  const path = join(box, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
};
const counts = 'oom 0\noom_kill 0\n';

test('the shared counter is the nearest memory.events upwards from the own cgroup', () => {
  put('proc/self/cgroup', '0::/user.slice/session.scope\n');
  const near = put('cgroup/user.slice/session.scope/memory.events', counts);
  const above = put('cgroup/user.slice/memory.events', counts);
  assert.equal(sharedCounterFile(roots(), null), near);
  rmSync(near);
  assert.equal(sharedCounterFile(roots(), null), above);
});

test('where runs have cgroups of their own the daemon’s leaf does not count them: what holds them does, or the machine', () => {
  put('proc/self/cgroup', '0::/box/orca\n');
  put('cgroup/box/orca/memory.events', counts);
  const vmstat = put('proc/vmstat', 'oom_kill 3\n');
  assert.equal(sharedCounterFile(roots(), join(box, 'cgroup')), vmstat, 'the top of the hierarchy has no such file');
  const holds = put('cgroup/box/memory.events', counts);
  assert.equal(sharedCounterFile(roots(), join(box, 'cgroup/box')), holds);
});

test('in a hybrid layout the counter is found where cgroup v2 is mounted', () => {
  put('proc/self/cgroup', '4:memory:/x\n0::/a\n');
  const file = put('cgroup/unified/a/memory.events', counts);
  assert.equal(sharedCounterFile(roots(), null), file);
});

test('a cgroup whose folder is there without a counter is no evidence: vmstat is next', () => {
  put('proc/self/cgroup', '0::/a\n');
  put('cgroup/a/cgroup.procs', '1\n');
  put('cgroup/memory.events', 'low 0\n');
  const vmstat = put('proc/vmstat', 'pgfault 1\noom_kill 3\n');
  assert.equal(sharedCounterFile(roots(), null), vmstat);
});

test('without any counter there is none', () => {
  assert.equal(sharedCounterFile(roots(), null), null);
  put('proc/self/cgroup', '4:memory:/x\n');
  put('proc/vmstat', 'pgfault 1\n');
  assert.equal(sharedCounterFile(roots(), null), null);
});

const gib = 1024 ** 3;
const system = { cpus: 4, memoryBytes: bytes(8 * 1024 ** 3) };

test('capacity is the system itself without a limit', () => {
  assert.deepEqual(machineCapacity(roots(), null, system), system);
  put('proc/self/cgroup', '0::/a\n');
  put('cgroup/a/memory.max', 'max\n');
  assert.deepEqual(machineCapacity(roots(), null, system), system);
  put('cgroup/a/memory.max', 'garbage\n');
  assert.deepEqual(machineCapacity(roots(), null, system), system);
  put('cgroup/a/memory.max', String(100 * 1024 ** 3));
  assert.deepEqual(machineCapacity(roots(), null, system), system);
});

test('capacity is the smallest memory limit upwards in cgroup v2', () => {
  put('proc/self/cgroup', '0::/a/b\n');
  put('cgroup/a/b/memory.max', String(3 * 1024 ** 3));
  put('cgroup/a/memory.max', String(2 * 1024 ** 3));
  put('cgroup/memory.max', 'max\n');
  assert.deepEqual(machineCapacity(roots(), null, system), { cpus: 4, memoryBytes: 2 * 1024 ** 3 });
});

test('a ceiling of orca’s own is not the machine’s limit, while the file holds just that number and in that cgroup only', () => {
  put('proc/self/cgroup', '0::/a/b\n');
  const file = put('cgroup/a/memory.max', `${gib}\n`);
  put('cgroup/a/b/memory.max', 'max\n');
  const own = join(box, 'cgroup/a');
  const memory = (base: string | null): number => machineCapacity(roots(), base, system).memoryBytes;
  assert.equal(memory(own), gib);
  mkdirSync(join(own, `orca-ceiling-${gib}-77`));
  assert.equal(memory(own), system.memoryBytes);
  assert.equal(memory(null), gib);
  // The same mark elsewhere says nothing of this limit.
  mkdirSync(join(own, `b/orca-ceiling-${gib}-77`));
  assert.equal(memory(join(own, 'b')), gib);
  writeFileSync(file, `${gib - 4096}\n`);
  assert.equal(memory(own), gib - 4096);
});

test('in cgroup v1 the limit counts where it is one, not the number that means none', () => {
  put('proc/self/cgroup', '4:memory:/box/c\n');
  put('cgroup/memory/memory.limit_in_bytes', '9223372036854771712\n');
  assert.deepEqual(machineCapacity(roots(), null, system), system);
  put('cgroup/memory/box/memory.limit_in_bytes', String(1024 ** 3));
  assert.deepEqual(machineCapacity(roots(), null, system), { cpus: 4, memoryBytes: 1024 ** 3 });
});

test('a container that sees only its own cgroup finds the limit at the mount', () => {
  put('proc/self/cgroup', '4:memory:/docker/0123\n');
  put('cgroup/memory/memory.limit_in_bytes', String(1024 ** 3));
  assert.equal(machineCapacity(roots(), null, system).memoryBytes, 1024 ** 3);
});

test('proportional memory tells a process that ended from one that may not be read', () => {
  const { procRoot } = roots();
  put('proc/5/smaps_rollup', 'Pss:  8 kB\n');
  assert.equal(readPss(procRoot, 5), 8192);
  assert.equal(readPss(procRoot, 6), 'gone');
  put('proc/7/stat', '7 (x) S 1');
  assert.equal(readPss(procRoot, 7), 'unreadable');
  put('proc/8/smaps_rollup', '');
  assert.equal(readPss(procRoot, 8), 'gone');
  put('proc/9/smaps_rollup', 'garbage');
  assert.equal(readPss(procRoot, 9), 'unreadable');
});

test('boot id and meminfo of a machine without them are null and empty', () => {
  const { procRoot } = roots();
  assert.equal(readBootId(procRoot), null);
  assert.equal(readMeminfo(procRoot).size, 0);
  put('proc/sys/kernel/random/boot_id', 'a16827e8-17a6-40dd-847e-062544493ccc\n');
  put('proc/meminfo', 'MemTotal: 4 kB\n');
  assert.equal(readBootId(procRoot), 'a16827e8-17a6-40dd-847e-062544493ccc');
  assert.equal(readMeminfo(procRoot).get('MemTotal'), 4096);
});
