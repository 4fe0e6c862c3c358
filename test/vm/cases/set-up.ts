import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { realCgroupFs } from '../../../src/containment/cgroup-fs.ts';
import { makeCgroup } from '../../../src/containment/make.ts';
import { readCurrent, readEvents, readPeak, readPressure } from '../../../src/containment/read.ts';
import { realSetUpHost } from '../../../src/containment/real-host.ts';
import { removeCgroup } from '../../../src/containment/remove.ts';
import { setUpCgroups, type SetUp } from '../../../src/containment/set-up.ts';
import { staleCgroups } from '../../../src/containment/stale.ts';
import { until } from '../../native/support/until.ts';
import { Cgroup, cgroupOfProcess } from '../support/cgroup.ts';
import { eat } from '../support/place.ts';

/** Set-up as a daemon does it that is the process `pid`; this one stays where it is. */
const setUpAs = (pid: number): SetUp => {
  const procRoot = mkdtempSync(join(tmpdir(), 'orca-vm-proc-'));
  mkdirSync(join(procRoot, 'self'));
  writeFileSync(join(procRoot, 'self/cgroup'), readFileSync(`/proc/${pid}/cgroup`));
  writeFileSync(join(procRoot, 'self/mountinfo'), readFileSync('/proc/self/mountinfo'));
  const result = setUpCgroups({ ...realSetUpHost(true, null), procRoot, pid, systemd: false });
  rmSync(procRoot, { recursive: true });
  return result;
};

const hold = (cgroup: Cgroup, ...words: string[]): ChildProcess => {
  const child = spawn(eat, [...words, 'hold'], { stdio: 'ignore' });
  cgroup.put(child.pid ?? 0);
  return child;
};

const limits = { limitBytes: 24 << 20, killAtBytes: 30 << 20, oomGroup: true, cpuWeight: null };

describe('set-up on a real kernel', () => {
  test('a cgroup with processes is emptied into the leaf, also while they fork', async () => {
    await using cgroup = new Cgroup();
    const daemon = hold(cgroup);
    // Each child forks one, sleeps a moment and ends: there is always one that came after the others were moved.
    const forking = spawn('sh', ['-c', 'read go; while :; do sh -c : & sleep 0.002; done'], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    cgroup.put(forking.pid ?? 0);
    forking.stdin?.write('go\n');
    const result = setUpAs(daemon.pid ?? 0);
    assert.ok(result.on, result.why);
    assert.deepEqual(cgroup.pids(), []);
    assert.match(cgroup.read('cgroup.subtree_control'), /\bmemory\b/);
    assert.equal(result.leaf, `${cgroup.path}/orca`);
    assert.ok(cgroupOfProcess(daemon.pid ?? 0).endsWith('/orca'));
    // As the next daemon does, which is in the leaf already.
    assert.deepEqual(setUpAs(daemon.pid ?? 0), result);
  });

  test('a threaded cgroup has none', async () => {
    await using outer = new Cgroup();
    const inner = join(outer.path, 'threaded');
    mkdirSync(inner);
    writeFileSync(join(inner, 'cgroup.type'), 'threaded');
    const daemon = spawn(eat, ['hold'], { stdio: 'ignore' });
    outer.put(daemon.pid ?? 0);
    writeFileSync(join(inner, 'cgroup.threads'), String(daemon.pid));
    const result = setUpAs(daemon.pid ?? 0);
    assert.equal(result.on, false);
    assert.match(result.why, /is of type `(domain )?threaded`, which cannot limit memory$/);
  });

  test('a run cgroup without pressure files has no stall times, and everything else', async () => {
    await using cgroup = new Cgroup();
    const daemon = hold(cgroup);
    const result = setUpAs(daemon.pid ?? 0);
    assert.ok(result.on, result.why);
    const made = makeCgroup(realCgroupFs, result.base, { run: 1, start: 1, owner: 1 }, limits);
    assert.ok(made.ok);
    // What a kernel without PSI does not have; since 6.1 it can be taken away from one cgroup.
    realCgroupFs.write(join(made.path, 'cgroup.pressure'), '0');
    const pressure = readPressure(realCgroupFs, made.path);
    assert.deepEqual([pressure?.fullAvg10 ?? null, pressure?.fullTotalUs ?? null], [null, null]);
    assert.equal(readCurrent(realCgroupFs, made.path), 0);
    assert.equal(readPeak(realCgroupFs, made.path), 0);
    assert.equal(readEvents(realCgroupFs, made.path)?.oomKill, 0n);
    assert.ok(removeCgroup(realCgroupFs, made.path));
  });

  test('stale cgroups are those that nobody answers for, and one with a process in it stays until that ends', async () => {
    await using cgroup = new Cgroup();
    const daemon = hold(cgroup);
    const result = setUpAs(daemon.pid ?? 0);
    assert.ok(result.on, result.why);
    const own = daemon.pid ?? 0;
    const make = (run: number, owner: number): string => {
      const made = makeCgroup(realCgroupFs, result.base, { run, start: 1, owner }, limits);
      assert.ok(made.ok);
      return made.path;
    };
    const [empty, busy, live, others] = [make(1, own), make(2, own), make(3, own), make(4, 1)];
    const inside = spawn(eat, ['hold'], { stdio: 'ignore' });
    writeFileSync(join(busy, 'cgroup.procs'), String(inside.pid));
    const stale = staleCgroups(realCgroupFs, result.base, {
      ownPid: own,
      isAlive: (pid) => pid === 1,
      inUse: new Set([`orca-run-3-1-${own}`]),
    });
    assert.deepEqual(stale.toSorted(), [empty, busy].toSorted());
    assert.deepEqual([removeCgroup(realCgroupFs, empty), removeCgroup(realCgroupFs, busy)], [true, false]);
    inside.kill('SIGKILL');
    await until('the busy one to be removed', () => removeCgroup(realCgroupFs, busy));
    assert.deepEqual([removeCgroup(realCgroupFs, live), removeCgroup(realCgroupFs, others)], [true, true]);
  });
});
