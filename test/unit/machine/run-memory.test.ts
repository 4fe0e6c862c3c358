import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import type { PidStat } from '../../../src/machine/pid-stat.ts';
import { isRunning, runRss } from '../../../src/machine/run-memory.ts';

let proc = '';
beforeEach(() => {
  proc = mkdtempSync(join(tmpdir(), 'orca-run-memory-'));
});
afterEach(() => {
  rmSync(proc, { recursive: true });
});

const process = (pid: number, parent: number, rssPages: number, command = 'x'): PidStat => {
  mkdirSync(join(proc, String(pid)));
  writeFileSync(join(proc, String(pid), 'cmdline'), `${command}\0--flag\0`);
  return { pid, state: 'S', parent, ownTicks: 0, waitedTicks: 0, startTicks: pid * 10, rssPages };
};
const root = { pid: 5, startTicks: 50 };
const rss = (stats: readonly PidStat[], command: string | null = null, of: typeof root | null = root): number =>
  runRss(proc, { root: of, command }, stats, 4096) / 4096;

test("a run's memory is its process's and that of all that descends from it", () => {
  const stats = [process(1, 0, 1000), process(5, 1, 1), process(6, 5, 10), process(7, 6, 100), process(8, 1, 1000)];
  assert.equal(rss(stats), 111);
});

test('a process that got the pid of the one that was watched is not counted, nor is anything when none is', () => {
  const stats = [process(5, 1, 1), process(6, 5, 10)];
  assert.equal(rss(stats, null, { pid: 5, startTicks: 49 }), 0);
  assert.equal(rss(stats, null, null), 0);
});

test('processes that are called as asked count beside the tree, each once, wherever they hang', () => {
  const stats = [
    process(5, 1, 1, '/bin/job'),
    process(6, 5, 10),
    process(7, 1, 100, '/bin/job'),
    process(8, 1, 1000, '/bin/jobs'),
  ];
  assert.equal(rss(stats, '/bin/job'), 111);
  assert.equal(rss(stats, '/bin/job', null), 101);
  assert.equal(rss(stats, 'job', null), 0);
});

test('a ring of parents, as a pass in the middle of changes may show it, is counted once', () => {
  assert.equal(rss([process(5, 6, 1), process(6, 5, 10)]), 11);
});

test('a zombie, a dead process and another one with its pid do not run', () => {
  const stat = process(5, 1, 1);
  assert.ok(isRunning(stat, root));
  assert.ok(!isRunning({ ...stat, state: 'Z' }, root));
  assert.ok(!isRunning({ ...stat, state: 'X' }, root));
  assert.ok(!isRunning({ ...stat, startTicks: 51 }, root));
  assert.ok(!isRunning(null, root));
});
