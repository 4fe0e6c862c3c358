import assert from 'node:assert/strict';
import { readFileSync, statfsSync } from 'node:fs';
import { describe, test } from 'node:test';
import { Cgroup } from '../support/cgroup.ts';
import { baseCgroup, diskFolder } from '../support/place.ts';

const cgroup2Magic = 0x63677270;
const tmpfsMagic = 0x01021994;

describe('the kernel that the tests need', () => {
  test('cgroup v2 is mounted, with the controllers of memory, cpu and pids', () => {
    assert.equal(statfsSync(baseCgroup).type, cgroup2Magic);
    const controllers = readFileSync(`${baseCgroup}/cgroup.controllers`, 'utf8').trim().split(' ');
    assert.deepEqual(
      ['memory', 'cpu', 'pids'].filter((name) => !controllers.includes(name)),
      [],
    );
  });

  test('a cgroup has pressure, a peak, a kill and a group kill', async () => {
    await using cgroup = new Cgroup({ 'memory.max': '32M', 'memory.oom.group': '1' });
    assert.match(cgroup.read('memory.pressure'), /^some avg10=.*\nfull avg10=/);
    assert.match(cgroup.read('memory.peak'), /^\d+\n$/);
    assert.equal(cgroup.read('memory.oom.group'), '1\n');
    assert.equal(cgroup.read('memory.max'), `${32 << 20}\n`);
    assert.equal(cgroup.count('oom_group_kill'), 0);
  });

  test('the machine counts its own pressure and kills for memory', () => {
    assert.match(readFileSync('/proc/pressure/memory', 'utf8'), /^full avg10=/m);
    assert.match(readFileSync('/proc/vmstat', 'utf8'), /^oom_kill \d+$/m);
  });

  test('there is a folder whose page cache can be written back', () => {
    assert.notEqual(statfsSync(diskFolder).type, tmpfsMagic);
  });
});
