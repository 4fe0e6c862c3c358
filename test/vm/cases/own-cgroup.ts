import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { ownCgroup } from '../../../tools/vm/own-cgroup.ts';
import { Cgroup, cgroupOfProcess } from '../support/cgroup.ts';
import { eat } from '../support/place.ts';

/** A `/proc` whose `self` is in the cgroup. */
const procOf = (name: string): string => {
  const proc = mkdtempSync(join(tmpdir(), 'orca-vm-proc-'));
  mkdirSync(join(proc, 'self'));
  writeFileSync(join(proc, 'self/cgroup'), `1:name=systemd:/\n0::/${name}\n`);
  return proc;
};

describe('a machine’s own cgroup, in which the suite runs without a virtual machine', () => {
  test('gives its processes to a leaf, so that tests can make cgroups with limits beside it', async () => {
    await using cgroup = new Cgroup();
    const busy = spawn(eat, ['hold'], { stdio: 'ignore' });
    cgroup.put(busy.pid ?? 0);
    const proc = procOf(basename(cgroup.path));
    assert.equal(ownCgroup(dirname(cgroup.path), proc), cgroup.path);
    assert.match(cgroupOfProcess(busy.pid ?? 0), /\/orca-test$/);
    await using inside = cgroup.child({ 'memory.max': '32M' });
    assert.equal(inside.read('memory.max'), `${32 << 20}\n`);
    rmSync(proc, { recursive: true });
  });

  test('is not taken where the controller of memory was not given to it', async () => {
    await using outer = new Cgroup();
    mkdirSync(join(outer.path, 'bare'));
    const proc = procOf('bare');
    assert.equal(ownCgroup(outer.path, proc), null);
    rmSync(proc, { recursive: true });
  });
});
