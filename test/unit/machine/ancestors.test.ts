import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { ancestorsOf, terminalName } from '../../../src/machine/ancestors.ts';

const proc = (t: TestContext, stats: Record<number, string>): string => {
  const root = mkdtempSync(join(tmpdir(), 'orca-proc-'));
  t.after(() => rmSync(root, { recursive: true }));
  for (const [pid, text] of Object.entries(stats)) {
    mkdirSync(join(root, pid));
    writeFileSync(join(root, pid, 'stat'), text);
  }
  return root;
};
const stat = (pid: number, name: string, parent: number, terminal: number): string =>
  `${pid} (${name}) S ${parent} ${pid} ${pid} ${terminal} -1 4194304 0 0 0`;

test('the ancestors of a process are told from the nearest one on, whatever they are called', (t) => {
  const root = proc(t, {
    9: stat(9, 'orca', 8, 0),
    8: stat(8, ') S 3 (\n', 7, 34819),
    7: stat(7, 'bash', 1, 0),
    1: stat(1, 'init', 0, 0),
  });
  assert.deepEqual(ancestorsOf(root, 9), [
    { pid: 8, name: ') S 3 (\n', terminal: 34819 },
    { pid: 7, name: 'bash', terminal: 0 },
    { pid: 1, name: 'init', terminal: 0 },
  ]);
});

test('they end where one may not be looked at', (t) => {
  const root = proc(t, { 9: stat(9, 'orca', 8, 0), 8: stat(8, 'sh', 7, 0), 7: 'garbage' });
  assert.deepEqual(
    ancestorsOf(root, 9).map(({ pid }) => pid),
    [8],
  );
  assert.deepEqual(ancestorsOf(root, 5), []);
});

test('a circle, which no kernel has, ends too', (t) => {
  assert.ok(ancestorsOf(proc(t, { 9: stat(9, 'a', 9, 0) }), 9).length <= 1000);
});

test('terminals are called as their files are', () => {
  assert.equal(terminalName(34819), 'pts/3');
  assert.equal(terminalName((137 << 8) | 4), 'pts/260');
  assert.equal(terminalName((4 << 8) | 1), 'tty1');
  assert.equal(terminalName((4 << 8) | 65), 'ttyS1');
  assert.equal(terminalName((5 << 8) | 1), 'terminal 5:1');
});
