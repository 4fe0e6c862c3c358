import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { realCgroupFs as fs } from '../../../src/containment/cgroup-fs.ts';
import { readCurrent, readEvents, readPeak, readPressure, readProgress } from '../../../src/containment/read.ts';

let box = '';
beforeEach(() => {
  box = mkdtempSync(join(tmpdir(), 'orca-cgroup-'));
});
afterEach(() => {
  rmSync(box, { recursive: true });
});
const put = (file: string, text: string): void => writeFileSync(join(box, file), text);

test('memory.current and memory.peak are bytes; missing, garbage and max are unknown', () => {
  const readers = [
    ['memory.current', readCurrent],
    ['memory.peak', readPeak],
  ] as const;
  for (const [file, read] of readers) {
    assert.equal(read(fs, box), null, `${file} missing`);
    put(file, '33554432\n');
    assert.equal(read(fs, box), 33554432);
    for (const bad of ['garbage\n', 'max\n', '']) {
      put(file, bad);
      assert.equal(read(fs, box), null, `${file} ${bad}`);
    }
  }
});

test('memory.pressure is null when missing, and its figures are when they are garbage or max', () => {
  assert.equal(readPressure(fs, box), null);
  put(
    'memory.pressure',
    'some avg10=1.00 avg60=0.00 avg300=0.00 total=7\nfull avg10=60.00 avg60=0.00 avg300=0.00 total=5\n',
  );
  assert.deepEqual(readPressure(fs, box), { someAvg10: 1, fullAvg10: 60, someTotalUs: 7, fullTotalUs: 5 });
  const unknown = { someAvg10: null, fullAvg10: null, someTotalUs: null, fullTotalUs: null };
  for (const bad of ['garbage\n', 'max\n', 'some avg10=max total=max\nfull avg10=max total=max\n']) {
    put('memory.pressure', bad);
    assert.deepEqual(readPressure(fs, box), unknown);
  }
});

test('memory.events is null when missing, and its counts are 0 when they are garbage or max', () => {
  assert.equal(readEvents(fs, box), null);
  put('memory.events', 'low 0\nhigh 9\nmax 4\noom 1\noom_kill 2\noom_group_kill 1\n');
  assert.deepEqual(readEvents(fs, box), { oom: 1n, oomKill: 2n, groupKill: 1n });
  for (const bad of ['garbage\n', 'max\n', 'oom max\noom_kill max\n']) {
    put('memory.events', bad);
    assert.deepEqual(readEvents(fs, box), { oom: 0n, oomKill: 0n, groupKill: null });
  }
});

test('progress needs memory.stat; what is missing beside it, garbage or max is unknown', () => {
  put('cpu.stat', 'user_usec 5\n');
  assert.equal(readProgress(fs, box), null);
  put('memory.stat', 'inactive_file 4096\nactive_file 0\npgsteal 3\nworkingset_refault_file 2\npgmajfault 1\n');
  const good = {
    cacheBytes: 4096,
    stolenPages: 3,
    refaultPages: 2,
    majorFaults: 1,
    writtenBytes: null,
    readBytes: null,
    userUs: 5,
  };
  assert.deepEqual(readProgress(fs, box), good);
  put('cpu.stat', 'max\n');
  put('memory.stat', 'garbage\npgsteal max\n');
  const unknown = { cacheBytes: null, stolenPages: null, refaultPages: null, majorFaults: null };
  assert.deepEqual(readProgress(fs, box), { ...unknown, writtenBytes: null, readBytes: null, userUs: null });
});

test('writing never makes a file: one that the kernel does not have is ENOENT', () => {
  assert.equal(fs.write(join(box, 'memory.oom.group'), '1'), 'ENOENT');
  assert.equal(existsSync(join(box, 'memory.oom.group')), false);
  put('memory.high', 'max\n');
  assert.equal(fs.write(join(box, 'memory.high'), '1234'), null);
  assert.equal(readFileSync(join(box, 'memory.high'), 'utf8'), '1234');
});

test('folders are made, listed without files, and removed, each failure with its code', () => {
  assert.equal(fs.mkdir(join(box, 'a')), null);
  assert.equal(fs.mkdir(join(box, 'a')), 'EEXIST');
  assert.equal(fs.mkdir(join(box, 'none/b')), 'ENOENT');
  put('cgroup.procs', '1\n');
  assert.deepEqual(fs.folders(box), ['a']);
  assert.equal(fs.folders(join(box, 'none')), null);
  assert.equal(fs.rmdir(join(box, 'a')), null);
  assert.equal(fs.rmdir(join(box, 'a')), 'ENOENT');
  mkdirSync(join(box, 'full/inner'), { recursive: true });
  assert.equal(fs.rmdir(join(box, 'full')), 'ENOTEMPTY');
});

test('whether a file may be written is asked without writing it, and what is not there may not', () => {
  put('cgroup.procs', '1\n');
  assert.equal(fs.mayWrite(join(box, 'cgroup.procs')), true);
  assert.equal(readFileSync(join(box, 'cgroup.procs'), 'utf8'), '1\n');
  assert.equal(fs.mayWrite(join(box, 'none')), false);
});
