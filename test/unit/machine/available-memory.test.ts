import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { readAvailable } from '../../../src/machine/available-memory.ts';

let box = '';
beforeEach(() => {
  box = mkdtempSync(join(tmpdir(), 'orca-available-'));
});
afterEach(() => {
  rmSync(box, { recursive: true });
});

const mb = 1048576;
const put = (file: string, text: string): void => {
  mkdirSync(dirname(join(box, file)), { recursive: true });
  writeFileSync(join(box, file), text);
};
const read = (base: string | null = null): number | null =>
  readAvailable({ procRoot: join(box, 'proc'), cgroupRoot: join(box, 'cgroup') }, base);
const machine = (availableMb: number): void =>
  put('proc/meminfo', `MemTotal: ${8192 * 1024} kB\nMemAvailable: ${availableMb * 1024} kB\n`);
const group = (path: string, limit: string, current: string, stat = ''): void => {
  put(`cgroup/${path}/memory.max`, `${limit}\n`);
  put(`cgroup/${path}/memory.current`, `${current}\n`);
  put(`cgroup/${path}/memory.stat`, stat);
};

test('without a limit it is what the machine has available', () => {
  machine(3000);
  assert.equal(read(), 3000 * mb);
  put('proc/self/cgroup', '0::/user.slice/session\n');
  group('user.slice/session', 'max', String(900 * mb));
  assert.equal(read(), 3000 * mb);
});

test('in a container it is the limit less what is used, the page cache that is idle counted as free and half of that in use', () => {
  machine(3000);
  put('proc/self/cgroup', '0::/\n');
  group('', String(1000 * mb), String(700 * mb), `anon 5\ninactive_file ${200 * mb}\nactive_file ${100 * mb}\n`);
  assert.equal(read(), (1000 - (700 - 200 - 50)) * mb);
});

test('of nested limits the one that leaves least holds, whether it is the inner or the outer', () => {
  machine(3000);
  put('proc/self/cgroup', '0::/outer/inner\n');
  group('outer', String(2000 * mb), String(1900 * mb));
  group('outer/inner', String(500 * mb), String(100 * mb));
  assert.equal(read(), 100 * mb);
  group('outer/inner', String(500 * mb), String(450 * mb));
  assert.equal(read(), 50 * mb);
});

test('a machine that has less than the container may use gives what it has', () => {
  machine(100);
  put('proc/self/cgroup', '0::/\n');
  group('', String(1000 * mb), '0');
  assert.equal(read(), 100 * mb);
});

test('use over the limit leaves nothing, and never less', () => {
  machine(3000);
  put('proc/self/cgroup', '0::/\n');
  group('', String(100 * mb), String(150 * mb));
  assert.equal(read(), 0);
});

test('cgroup version 1 is read by its own names; its number for no limit limits nothing', () => {
  machine(3000);
  put('proc/self/cgroup', '4:memory:/docker/box\n0::/\n');
  const v1 = (limit: string, used: string): void => {
    put('cgroup/memory/docker/box/memory.limit_in_bytes', limit);
    put('cgroup/memory/docker/box/memory.usage_in_bytes', used);
    put('cgroup/memory/docker/box/memory.stat', `inactive_file 1\ntotal_inactive_file ${100 * mb}\n`);
  };
  v1(String(1000 * mb), String(600 * mb));
  assert.equal(read(), 500 * mb);
  v1('9223372036854771712', String(600 * mb));
  assert.equal(read(), 3000 * mb);
});

test('orca’s own ceiling over its runs is no limit of the container', () => {
  machine(3000);
  put('proc/self/cgroup', '0::/box/orca\n');
  group('box', String(1000 * mb), String(900 * mb));
  assert.equal(read(join(box, 'cgroup/box')), 100 * mb, 'nobody says whose it is');
  mkdirSync(join(box, `cgroup/box/orca-ceiling-${1000 * mb}-42`), { recursive: true });
  assert.equal(read(join(box, 'cgroup/box')), 3000 * mb);
  assert.equal(read(null), 100 * mb);
});

test('what cannot be read, or is no number, limits nothing; with nothing readable it is unknown', () => {
  assert.equal(read(), null);
  put('proc/self/cgroup', '0::/\n');
  put('cgroup/memory.max', String(1000 * mb));
  assert.equal(read(), null, 'the use is not known');
  group('', 'garbage', String(5 * mb));
  assert.equal(read(), null);
  group('', String(1000 * mb), 'garbage');
  assert.equal(read(), null);
  machine(7);
  assert.equal(read(), 7 * mb);
  group('', '0', String(5 * mb));
  assert.equal(read(), 7 * mb, 'a container that is being taken down');
  put('proc/meminfo', 'MemTotal: max kB\n');
  assert.equal(read(), null);
});
