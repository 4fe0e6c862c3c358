import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { PidStatReader } from '../../../src/machine/pid-stat-reader.ts';
import { readPidStats } from '../../../src/machine/read-pid-stats.ts';

const line = (pid: number): string => `${pid} (x) S 1 0 0 0 0 0 0 0 0 0 1 2 3 4 0 0 0 0 5 0 6\n`;
const openFiles = (): number => readdirSync('/proc/self/fd').length;
const linux = { skip: process.platform !== 'linux' };

test('each look shows what a first one would: who came is there, who went is not', () => {
  const root = mkdtempSync(join(tmpdir(), 'orca-proc-'));
  using reader = new PidStatReader(root);
  try {
    for (const pid of [7, 8]) {
      mkdirSync(join(root, String(pid)));
      writeFileSync(join(root, `${pid}/stat`), line(pid));
    }
    assert.deepEqual(reader.read(), readPidStats(root));
    rmSync(join(root, '7'), { recursive: true });
    mkdirSync(join(root, '9'));
    writeFileSync(join(root, '9/stat'), line(9));
    writeFileSync(join(root, '8/stat'), line(8).replace(' S 1 ', ' Z 2 '));
    assert.deepEqual(reader.read(), readPidStats(root));
    assert.deepEqual(
      reader.read().map(({ pid, state }) => [pid, state]),
      [
        [8, 'Z'],
        [9, 'S'],
      ],
    );
  } finally {
    rmSync(root, { recursive: true });
  }
});

test('a process that ended is gone from the next look, and its file is not kept open', linux, async () => {
  using reader = new PidStatReader('/proc');
  const child = spawn('sleep', ['300'], { stdio: 'ignore' });
  await once(child, 'spawn');
  const isThere = (): boolean => reader.read().some(({ pid }) => pid === child.pid);
  assert.ok(isThere() && isThere());
  child.kill('SIGKILL');
  await once(child, 'exit');
  assert.ok(!isThere());
  const own = reader.read().find(({ pid }) => pid === process.pid);
  assert.equal(own?.parent, process.ppid);
});

test('at most some hundred files stay open, and none once it is closed', linux, () => {
  const root = mkdtempSync(join(tmpdir(), 'orca-proc-'));
  const before = openFiles();
  try {
    for (let pid = 1; pid <= 600; pid += 1) {
      mkdirSync(join(root, String(pid)));
      writeFileSync(join(root, `${pid}/stat`), line(pid));
    }
    const reader = new PidStatReader(root);
    for (const _ of [1, 2]) assert.equal(reader.read().length, 600);
    assert.ok(openFiles() > before && openFiles() <= before + 520);
    for (let pid = 1; pid <= 590; pid += 1) rmSync(join(root, String(pid)), { recursive: true });
    assert.equal(reader.read().length, 10);
    assert.ok(openFiles() <= before + 10, 'those that ended are let go of');
    reader[Symbol.dispose]();
    assert.equal(openFiles(), before);
  } finally {
    rmSync(root, { recursive: true });
  }
});
