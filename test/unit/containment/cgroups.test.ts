import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeCgroup, type Made } from '../../../src/containment/make.ts';
import { memoryFiles, type RunLimits } from '../../../src/containment/memory-files.ts';
import { removeCgroup } from '../../../src/containment/remove.ts';
import { staleCgroups, staleNames } from '../../../src/containment/stale.ts';
import { writeFiles } from '../../../src/containment/write-files.ts';
import { FakeKernel, type KernelOptions } from './fake-kernel.ts';

const top = '/cg';
const base = '/cg/box';
const name = { run: 12, start: 2, owner: 77 };
const path = `${base}/orca-run-12-2-77`;
const limits: RunLimits = { limitBytes: 1001 * 1048576, killAtBytes: 1252 * 1048576, oomGroup: true, cpuWeight: 50 };

const kernelWith = (options: KernelOptions = {}): FakeKernel => {
  const kernel = new FakeKernel(top, options);
  kernel.place(base);
  for (const controller of options.controllers ?? ['cpu', 'memory']) kernel.group(base).on.add(controller);
  return kernel;
};
const make = (kernel: FakeKernel, changes: Partial<RunLimits> = {}): Made =>
  makeCgroup(kernel, base, name, { ...limits, ...changes });

test('a start is told its limit, where it is killed, all of it, and without swap', () => {
  assert.deepEqual(memoryFiles(limits), [
    { file: 'memory.high', value: '1049624576', required: true },
    { file: 'memory.max', value: '1312817152', required: true },
    { file: 'memory.oom.group', value: '1', required: false },
    { file: 'memory.swap.max', value: '0', required: false },
    { file: 'cpu.weight', value: '50', required: false },
  ]);
});

test('the group kill follows its setting, and without a weight the CPU is left alone', () => {
  const files = memoryFiles({ ...limits, oomGroup: false, cpuWeight: null });
  assert.equal(files.find(({ file }) => file === 'memory.oom.group')?.value, '0');
  assert.equal(
    files.some(({ file }) => file === 'cpu.weight'),
    false,
  );
});

test('a start gets a cgroup of its name in the base, with its limits', () => {
  const kernel = kernelWith();
  assert.deepEqual(make(kernel), { ok: true, path, skipped: [] });
  assert.equal(kernel.read(`${path}/memory.high`), '1049624576');
  assert.equal(kernel.read(`${path}/memory.max`), '1312817152');
  assert.equal(kernel.read(`${path}/memory.oom.group`), '1');
  assert.equal(kernel.read(`${path}/memory.swap.max`), '0');
});

test('a kernel without group kill, swap or the CPU controller contains the run all the same', () => {
  const kernel = kernelWith({ lacks: ['memory.oom.group', 'memory.swap.max', 'memory.peak'], controllers: ['memory'] });
  assert.deepEqual(make(kernel), {
    ok: true,
    path,
    skipped: ['memory.oom.group', 'memory.swap.max', 'cpu.weight'].map((file) => ({ file, code: 'ENOENT' })),
  });
});

test('a cgroup whose limit the kernel refuses is taken away again', () => {
  const kernel = kernelWith({ lacks: ['memory.max'] });
  assert.deepEqual(make(kernel), { ok: false, path, refused: { file: 'memory.max', code: 'ENOENT' } });
  assert.equal(kernel.groups.has(path), false);
});

test('a cgroup that cannot be made is told with the code', () => {
  const kernel = kernelWith();
  kernel.refusals.set(path, 'EAGAIN');
  assert.deepEqual(make(kernel), { ok: false, path, refused: { file: 'mkdir', code: 'EAGAIN' } });
});

test('an empty cgroup of that name is made anew, so that old counts are not the new start’s; one in use is left', () => {
  const kernel = kernelWith();
  make(kernel);
  kernel.group(path).files.set('memory.events', 'oom_kill 1\n');
  assert.equal(make(kernel).ok, true);
  assert.equal(kernel.read(`${path}/memory.events`), null);
  kernel.place(path, '5');
  assert.deepEqual(make(kernel), { ok: false, path, refused: { file: 'mkdir', code: 'EEXIST' } });
  assert.ok(kernel.group(path).procs.has('5'));
});

test('writing stops at the first required file that is refused', () => {
  const kernel = kernelWith();
  make(kernel);
  kernel.refusals.set(`${path}/memory.high`, 'EACCES');
  const written = writeFiles(kernel, path, memoryFiles({ ...limits, killAtBytes: 1 }));
  assert.deepEqual(written, { ok: false, refused: { file: 'memory.high', code: 'EACCES' } });
  assert.notEqual(kernel.read(`${path}/memory.max`), '1');
});

test('a cgroup goes when its tree has left it, and stays while a process is in it', () => {
  const kernel = kernelWith();
  make(kernel);
  kernel.place(path, '5');
  assert.equal(removeCgroup(kernel, path), false);
  kernel.group(path).procs.clear();
  assert.equal(removeCgroup(kernel, path), true);
  assert.equal(removeCgroup(kernel, path), true, 'one that is not there is gone');
});

test('the cgroups that a run made inside its own go with it, unless a process is in one', () => {
  const kernel = kernelWith();
  make(kernel);
  kernel.place(`${path}/a/b`);
  kernel.place(`${path}/c`, '5');
  assert.equal(removeCgroup(kernel, path), false);
  assert.ok(kernel.group(`${path}/c`).procs.has('5'));
  kernel.group(`${path}/c`).procs.clear();
  assert.equal(removeCgroup(kernel, path), true);
  assert.equal(kernel.groups.has(`${path}/a`), false);
});

test("only a run's cgroup is ever removed", () => {
  const kernel = kernelWith();
  kernel.place(`${base}/orca`);
  kernel.place(`${base}/orca-run-x`);
  for (const other of ['orca', 'orca-run-x']) assert.equal(removeCgroup(kernel, `${base}/${other}`), false);
  assert.ok(kernel.groups.has(`${base}/orca`));
});

const names = ['orca', 'orca-run-1-1-50', 'orca-run-2-1-60', 'orca-run-3-1-77', 'orca-run-4-1-77', 'other-run-5-1-50'];
const question = {
  ownPid: 77,
  isAlive: (pid: number) => pid === 60 || pid === 77,
  inUse: new Set(['orca-run-4-1-77']),
};

test('stale are the cgroups of dead makers, and of an earlier life with the same pid', () => {
  assert.deepEqual(staleNames({ ...question, names }), ['orca-run-1-1-50', 'orca-run-3-1-77']);
});

test('a cgroup that a start which is not over names is never stale, whoever made it', () => {
  const inUse = new Set(names);
  assert.deepEqual(staleNames({ ...question, names, inUse }), []);
});

test('stale cgroups are found in the base, and none where it cannot be read', () => {
  const kernel = kernelWith();
  for (const each of names) kernel.place(`${base}/${each}`);
  assert.deepEqual(staleCgroups(kernel, base, question), [`${base}/orca-run-1-1-50`, `${base}/orca-run-3-1-77`]);
  assert.deepEqual(staleCgroups(kernel, '/cg/none', question), []);
});
