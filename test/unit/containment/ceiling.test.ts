import assert from 'node:assert/strict';
import { test } from 'node:test';
import { join } from 'node:path';
import {
  ceilingBytes,
  keepCeiling,
  liftCeiling,
  putLimit,
  type CeilingHost,
} from '../../../src/containment/ceiling.ts';
import { ownUnit } from '../../../src/containment/unit-limit.ts';
import { ceilingMarkName, parseCeilingMark } from '../../../src/machine/ceiling-mark.ts';
import { bytes, type Bytes } from '../../../src/units/brands.ts';
import { FakeKernel } from './fake-kernel.ts';

const top = '/sys/fs/cgroup';
const base = `${top}/box`;
const gb = 1024 ** 3;
const mb = 1024 ** 2;
const capacityOf = (capacity: number, reserve: number): Bytes =>
  ceilingBytes({ capacity: bytes(capacity), budget: bytes(capacity - reserve) });

test('the ceiling is the capacity less half of the reserve, in whole MB, and never below the budget', () => {
  for (const [capacity, reserve, ceiling] of [
    [24 * gb, 2 * gb, 23 * gb],
    [2 * gb, 512 * mb, 1792 * mb],
    [gb, mb, gb - mb],
    [gb, 3 * mb, gb - 2 * mb],
    [gb + 4096, 512 * mb + 4096, 768 * mb],
    [gb, 0, gb],
  ] as const)
    assert.equal(capacityOf(capacity, reserve), ceiling, `${capacity} less ${reserve}`);
});

interface Machine {
  readonly kernel: FakeKernel;
  readonly living: Set<number>;
  readonly daemon: (pid: number, changes?: Partial<CeilingHost>) => CeilingHost;
  readonly limit: () => string;
  readonly marks: () => string[];
}

const noUnits = (): string => 'there is no systemd';

const machine = (): Machine => {
  const kernel = new FakeKernel(top, { hostRoot: true });
  kernel.place(base);
  const living = new Set<number>();
  return {
    kernel,
    living,
    daemon: (pid, changes = {}) => {
      living.add(pid);
      return { fs: kernel, pid, isAlive: (other) => living.has(other), put: putLimit(kernel, noUnits), ...changes };
    },
    limit: () => (kernel.read(join(base, 'memory.max')) ?? '').trim(),
    marks: () => (kernel.folders(base) ?? []).filter((name) => parseCeilingMark(name) !== null),
  };
};

test('a cgroup without a limit gets the ceiling, and a mark that says whose it is', () => {
  const { daemon, limit, marks } = machine();
  assert.deepEqual(keepCeiling(daemon(5), base, bytes(gb)), { bytes: gb, why: null });
  assert.equal(limit(), String(gb));
  assert.deepEqual(marks(), [ceilingMarkName({ bytes: gb, owner: 5 })]);
});

test('the ceiling follows the settings up and down, and one mark is left', () => {
  const { daemon, limit, marks } = machine();
  const host = daemon(5);
  for (const wanted of [2 * gb, gb, gb, 3 * gb]) {
    assert.deepEqual(keepCeiling(host, base, bytes(wanted)), { bytes: wanted, why: null });
    assert.equal(limit(), String(wanted));
    assert.deepEqual(marks(), [ceilingMarkName({ bytes: wanted, owner: 5 })]);
  }
});

test('a later daemon takes the ceiling of one that is gone for its own', () => {
  const { daemon, living, limit, marks } = machine();
  keepCeiling(daemon(5), base, bytes(2 * gb));
  living.delete(5);
  for (const wanted of [2 * gb, gb]) {
    assert.equal(keepCeiling(daemon(6), base, bytes(wanted)).bytes, wanted);
    assert.equal(limit(), String(wanted));
    assert.deepEqual(marks(), [ceilingMarkName({ bytes: wanted, owner: 6 })]);
  }
});

test('a limit that somebody else set is left alone, smaller or larger', () => {
  for (const other of [gb / 2, 2 * gb]) {
    const { kernel, daemon, limit, marks } = machine();
    kernel.write(join(base, 'memory.max'), String(other));
    const { bytes: none, why } = keepCeiling(daemon(5), base, bytes(gb));
    assert.equal(none, null);
    assert.match(why ?? '', /not orca's/);
    assert.equal(limit(), String(other));
    assert.deepEqual(marks(), []);
  }
});

test('a person who changes the ceiling to another number wins', () => {
  const { kernel, daemon, limit } = machine();
  keepCeiling(daemon(5), base, bytes(gb));
  kernel.write(join(base, 'memory.max'), String(gb - 4096));
  assert.equal(keepCeiling(daemon(5), base, bytes(2 * gb)).bytes, null);
  assert.equal(limit(), String(gb - 4096));
});

test('the ceiling of another daemon that lives is raised and never lowered', () => {
  const { daemon, limit } = machine();
  keepCeiling(daemon(5), base, bytes(2 * gb));
  assert.deepEqual(keepCeiling(daemon(6), base, bytes(gb)), { bytes: 2 * gb, why: null });
  assert.equal(limit(), String(2 * gb));
  assert.equal(keepCeiling(daemon(6), base, bytes(3 * gb)).bytes, 3 * gb);
  assert.equal(keepCeiling(daemon(5), base, bytes(2 * gb)).bytes, 3 * gb);
  assert.equal(limit(), String(3 * gb));
});

test('a ceiling that what is in use would not fit under is not set', () => {
  const { kernel, daemon, limit, marks } = machine();
  kernel.group(base).files.set('memory.stat', `anon ${gb - mb}\nfile ${8 * gb}\nshmem ${mb}\n`);
  assert.match(keepCeiling(daemon(5), base, bytes(gb)).why ?? '', /1024 MB are in use/);
  assert.equal(limit(), 'max');
  assert.deepEqual(marks(), []);
  assert.equal(keepCeiling(daemon(5), base, bytes(gb + mb)).bytes, gb + mb);
  const kernels = ['slab_unreclaimable', 'pagetables', 'kernel_stack', 'percpu', 'sock'];
  for (const name of kernels) {
    const { kernel: another, daemon: its } = machine();
    another.group(base).files.set('memory.stat', `anon ${gb - mb}\nslab_reclaimable ${gb}\n${name} ${mb}\n`);
    assert.match(keepCeiling(its(5), base, bytes(gb)).why ?? '', /1024 MB are in use/, name);
  }
});

test('without a file for it, without the right to it, or without its mark there is none, and no mark is left', () => {
  const { kernel, daemon, limit, marks } = machine();
  assert.match(keepCeiling(daemon(5), top, bytes(gb)).why ?? '', /top of the hierarchy/);
  kernel.refusals.set(join(base, 'memory.max'), 'EACCES');
  assert.match(keepCeiling(daemon(5), base, bytes(gb)).why ?? '', /EACCES/);
  kernel.refusals.clear();
  kernel.refusals.set(join(base, ceilingMarkName({ bytes: gb, owner: 5 })), 'EAGAIN');
  assert.match(keepCeiling(daemon(5), base, bytes(gb)).why ?? '', /EAGAIN/);
  assert.equal(limit(), 'max');
  assert.deepEqual(marks(), []);
});

test('the mark is there before the limit is', () => {
  const { kernel, daemon, marks } = machine();
  const seen: string[][] = [];
  const put: CeilingHost['put'] = (folder, limit) => {
    seen.push(marks());
    return putLimit(kernel, noUnits)(folder, limit);
  };
  keepCeiling(daemon(5, { put }), base, bytes(gb));
  keepCeiling(daemon(5, { put }), base, bytes(2 * gb));
  assert.deepEqual(seen, [
    [ceilingMarkName({ bytes: gb, owner: 5 })],
    [ceilingMarkName({ bytes: gb, owner: 5 }), ceilingMarkName({ bytes: 2 * gb, owner: 5 })],
  ]);
});

test('the limit of the unit that systemd made for the daemon is set by that systemd, and another unit is left alone', () => {
  const { kernel, daemon } = machine();
  const asked: unknown[] = [];
  const put = putLimit(kernel, (unit, limit) => {
    asked.push([unit, limit]);
    kernel.write(`${base}/orca-0123abcd.service/memory.max`, String(limit));
    return limit === 'max' ? 'no bus' : null;
  });
  const own = `${base}/orca-0123abcd.service`;
  kernel.place(own);
  assert.equal(keepCeiling(daemon(5, { put }), own, bytes(gb)).bytes, gb);
  liftCeiling(daemon(5, { put }), own);
  const unit = { name: 'orca-0123abcd.service', ofUser: null };
  assert.deepEqual(asked, [
    [unit, gb],
    [unit, 'max'],
  ]);
  assert.deepEqual(ownUnit('/sys/fs/cgroup/user.slice/user@7.service/app.slice/orca-0123abcd.service'), {
    name: 'orca-0123abcd.service',
    ofUser: 7,
  });
  for (const name of ['orca.service', 'orca-0123abcd.scope', 'my-orca-0123abcd.service'])
    assert.equal(ownUnit(`${base}/${name}`), null);
});

test('the limit of a systemd unit is not written behind its back', () => {
  const { kernel, daemon } = machine();
  for (const name of ['orca.service', 'session-3.scope', 'user-0.slice']) {
    kernel.place(`${top}/${name}`);
    assert.match(keepCeiling(daemon(5), `${top}/${name}`, bytes(gb)).why ?? '', /systemd/);
    assert.equal(kernel.read(`${top}/${name}/memory.max`)?.trim(), 'max');
  }
});

test('a daemon that leaves for good takes its ceiling away, and no other limit', () => {
  const { kernel, daemon, limit, marks } = machine();
  keepCeiling(daemon(5), base, bytes(gb));
  liftCeiling(daemon(5), base);
  assert.deepEqual([limit(), marks()], ['max', []]);
  kernel.write(join(base, 'memory.max'), String(gb));
  liftCeiling(daemon(5), base);
  assert.equal(limit(), String(gb));
});

test('a ceiling that another living daemon counts on stays when one leaves', () => {
  const { daemon, limit, marks } = machine();
  keepCeiling(daemon(5), base, bytes(gb));
  keepCeiling(daemon(6), base, bytes(gb));
  liftCeiling(daemon(5), base);
  assert.deepEqual([limit(), marks()], [String(gb), [ceilingMarkName({ bytes: gb, owner: 6 })]]);
});

test('of two daemons with different ceilings the one that stays keeps one when the other leaves, whoever came first', () => {
  for (const [first, second] of [
    [2 * gb, gb],
    [gb, 2 * gb],
  ] as const) {
    const { daemon, limit, marks } = machine();
    keepCeiling(daemon(5), base, bytes(first));
    keepCeiling(daemon(6), base, bytes(second));
    liftCeiling(daemon(6), base);
    assert.deepEqual([limit(), marks()], [String(first), [ceilingMarkName({ bytes: first, owner: 5 })]]);
    liftCeiling(daemon(5), base);
    assert.deepEqual([limit(), marks()], ['max', []]);
  }
  const { daemon, limit, living } = machine();
  keepCeiling(daemon(5), base, bytes(2 * gb));
  assert.equal(keepCeiling(daemon(6), base, bytes(gb)).bytes, 2 * gb);
  liftCeiling(daemon(5), base);
  living.delete(5);
  assert.equal(limit(), String(2 * gb), 'the one that stays counts on it');
  assert.equal(keepCeiling(daemon(6), base, bytes(gb)).bytes, gb);
});

test('a ceiling stays when what is in use would not fit under the one of the daemon that stays', () => {
  const { kernel, daemon, living, limit } = machine();
  keepCeiling(daemon(5), base, bytes(gb));
  keepCeiling(daemon(6), base, bytes(2 * gb));
  kernel.group(base).files.set('memory.stat', `anon ${gb}\n`);
  liftCeiling(daemon(6), base);
  living.delete(6);
  assert.equal(limit(), String(2 * gb));
  kernel.group(base).files.set('memory.stat', `anon ${mb}\n`);
  assert.equal(keepCeiling(daemon(5), base, bytes(gb)).bytes, gb, 'it is still known as orca’s own');
});
