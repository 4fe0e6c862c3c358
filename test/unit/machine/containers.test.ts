import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { readCgroupUse } from '../../../src/machine/cgroup-use.ts';
import { containerUses } from '../../../src/machine/container-use.ts';
import { containerCgroups, containerMemory, containerName } from '../../../src/machine/containers.ts';

let box = '';
beforeEach(() => {
  box = mkdtempSync(join(tmpdir(), 'orca-containers-'));
});
afterEach(() => {
  rmSync(box, { recursive: true });
});

const id = (digit: string): string => digit.repeat(64);
const folder = (path: string, files: Readonly<Record<string, string>> = {}): string => {
  const whole = join(box, path);
  mkdirSync(whole, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(whole, name), text);
  return whole;
};
const v2 = (current: number, inactive: number): Record<string, string> => ({
  'memory.current': `${current}\n`,
  'memory.stat': `anon 5\ninactive_file ${inactive}\ntotal_inactive_file 9999\n`,
});

test('a container has its memory less the cache that lies idle, and nothing when that is no number', () => {
  assert.equal(containerMemory('1000\n', 'anon 1\ninactive_file 300\n'), 700);
  assert.equal(containerMemory('1000\n', ''), 1000);
  assert.equal(containerMemory('100\n', 'inactive_file 300\n'), 0);
  for (const bad of ['', 'max', '-1', '1 2']) assert.equal(containerMemory(bad, ''), null, bad);
});

test('a container is named by its config file, without the slash', () => {
  assert.equal(containerName('{"ID":"x","Name":"/postgres"}'), 'postgres');
  for (const bad of ['', '{', '[]', 'null', '{"Name":5}', '{"Names":"/x"}']) assert.equal(containerName(bad), '', bad);
});

test('containers are found as systemd and as Docker itself lay them out, and nothing else is one', () => {
  const scope = folder(`system.slice/docker-${id('a')}.scope`);
  const plain = folder(`docker/${id('b')}`);
  for (const other of ['system.slice/ssh.service', 'docker/buildkit', `system.slice/docker-${'a'.repeat(12)}.scope`])
    folder(other);
  assert.deepEqual(containerCgroups(box), [
    { id: id('a'), folder: scope, version: 2 },
    { id: id('b'), folder: plain, version: 2 },
  ]);
  assert.deepEqual(containerCgroups(join(box, 'nowhere')), []);
});

test('containers come with their names where those can be read, else with 12 characters of their id', () => {
  folder(`system.slice/docker-${id('a')}.scope`, v2(1000, 100));
  folder(`docker/${id('b')}`, v2(500, 0));
  folder(`docker/${id('c')}`);
  const names = folder('names');
  folder(`names/${id('a')}`, { 'config.v2.json': '{"Name":"/postgres"}' });
  assert.deepEqual(containerUses(box, names)(), [
    { name: 'b'.repeat(12), mem: 500 },
    { name: 'postgres', mem: 900 },
  ]);
  assert.deepEqual(
    containerUses(box, null)().map(({ name }) => name),
    ['a'.repeat(12), 'b'.repeat(12)],
  );
});

test('a name that was read once stays, and one that comes later is taken', () => {
  folder(`docker/${id('a')}`, v2(1, 0));
  folder(`docker/${id('b')}`, v2(2, 0));
  folder(`names/${id('a')}`, { 'config.v2.json': '{"Name":"/one"}' });
  const uses = containerUses(box, join(box, 'names'));
  assert.deepEqual(
    uses().map(({ name }) => name),
    ['b'.repeat(12), 'one'],
  );
  rmSync(join(box, 'names', id('a')), { recursive: true });
  folder(`names/${id('b')}`, { 'config.v2.json': '{"Name":"/two"}' });
  assert.deepEqual(
    uses().map(({ name }) => name),
    ['one', 'two'],
  );
});

test('in cgroup version 1 the same containers lie below memory, and their files have other names', () => {
  folder(`memory/docker/${id('d')}`, {
    'memory.usage_in_bytes': '1000\n',
    'memory.stat': 'inactive_file 1\ntotal_inactive_file 400\n',
  });
  assert.deepEqual(containerUses(box, null)(), [{ name: 'd'.repeat(12), mem: 600 }]);
});

const roots = (): { procRoot: string; cgroupRoot: string } => ({
  procRoot: join(box, 'proc'),
  cgroupRoot: join(box, 'cg'),
});

test("a run's own cgroup is told with its limit and how long all of it waited", () => {
  folder('proc/7', { cgroup: '0::/orca/run\n' });
  folder('cg/orca/run', {
    'memory.current': '500\n',
    'memory.high': '1000\n',
    'memory.max': '1250\n',
    'memory.pressure': 'some avg10=9.00 avg60=0 avg300=0 total=1\nfull avg10=4.50 avg60=0 avg300=0 total=1\n',
  });
  assert.deepEqual(readCgroupUse(roots(), 7), { current: 500, limit: 1000, full: 4.5 });
  folder('cg/orca/run', { 'memory.high': 'max\n', 'memory.pressure': '' });
  assert.deepEqual(readCgroupUse(roots(), 7), { current: 500, limit: 1250, full: null });
  folder('cg/orca/run', { 'memory.max': 'max\n' });
  assert.equal(readCgroupUse(roots(), 7)?.limit, null);
});

test('a process without a cgroup of version 2, or with one out of sight, has no figures of one', () => {
  assert.equal(readCgroupUse(roots(), 7), null);
  folder('proc/7', { cgroup: '4:memory:/x\n' });
  assert.equal(readCgroupUse(roots(), 7), null);
  folder('proc/7', { cgroup: '0::/../secret\n' });
  folder('secret', { 'memory.current': '5\n' });
  assert.equal(readCgroupUse(roots(), 7), null);
});

test('in a hybrid layout the cgroup is looked for where version 2 is mounted', () => {
  folder('proc/7', { cgroup: '0::/a\n' });
  folder('cg/unified/a', { 'memory.current': '5\n' });
  assert.equal(readCgroupUse(roots(), 7)?.current, 5);
});
