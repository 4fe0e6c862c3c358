import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { isAlive } from '../../../src/machine/is-alive.ts';

test('a process is alive, a zombie and a thread of another process are not', (t) => {
  const proc = mkdtempSync(join(tmpdir(), 'orca-proc-'));
  t.after(() => rmSync(proc, { recursive: true }));
  const place = (pid: number, state: string, leader: number | null): void => {
    mkdirSync(join(proc, String(pid)));
    const rest = Array.from({ length: 49 }, () => '0').join(' ');
    writeFileSync(join(proc, String(pid), 'stat'), `${pid} (node) ${state} ${rest}\n`);
    if (leader !== null)
      writeFileSync(join(proc, String(pid), 'status'), `Name:\tnode\nTgid:\t${leader}\nPid:\t${pid}\n`);
  };
  place(10, 'S', 10);
  place(11, 'S', 10);
  place(12, 'Z', 12);
  place(13, 'R', null);
  assert.deepEqual(
    [10, 11, 12, 13, 14].map((pid) => isAlive(proc, pid)),
    [true, false, false, true, false],
  );
});

test('this process is alive', () => {
  assert.equal(isAlive('/proc', process.pid), true);
});
