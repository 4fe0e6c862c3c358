import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import {
  clearOom,
  clearUserKill,
  markOom,
  markUserKill,
  wasOomKilled,
  wasUserKilled,
} from '../../../src/evidence/mark-files.ts';
import { classifyOom, OomWatch, readOomCounts } from '../../../src/evidence/oom-watch.ts';

let box = '';
let cgroup = '';
let folder = '';
beforeEach(() => {
  box = mkdtempSync(join(tmpdir(), 'orca-oom-'));
  cgroup = join(box, 'cgroup');
  folder = join(box, '1.1');
  mkdirSync(cgroup);
  mkdirSync(folder);
});
afterEach(() => {
  rmSync(box, { recursive: true });
});
const events = (text: string): void => writeFileSync(join(cgroup, 'memory.events'), text);
const none = { oom: 0n, oomKill: 0n };

test('an out-of-memory mark is read back whatever an earlier version wrote into it', () => {
  assert.equal(wasOomKilled(folder), false);
  markOom(folder);
  assert.equal(wasOomKilled(folder), true);
  clearOom(folder);
  assert.equal(wasOomKilled(folder), false);
  for (const text of ['1', 'job', 'machine', 'session', '']) {
    writeFileSync(join(folder, 'oom'), text);
    assert.equal(wasOomKilled(folder), true, text);
  }
});

test("a person's mark goes away with the start that it belongs to, and leaves the other mark alone", () => {
  assert.equal(wasUserKilled(folder), false);
  markUserKill(folder);
  markOom(folder);
  assert.equal(wasUserKilled(folder), true);
  clearUserKill(folder);
  assert.deepEqual([wasUserKilled(folder), wasOomKilled(folder)], [false, true]);
});

test('marks of one start say nothing about the next', () => {
  markOom(folder);
  markUserKill(folder);
  const next = join(box, '1.2');
  mkdirSync(next);
  assert.deepEqual([wasOomKilled(next), wasUserKilled(next)], [false, false]);
});

test('marking and clearing in a folder that is gone changes nothing and throws nothing', () => {
  const gone = join(box, 'gone');
  markOom(gone);
  markUserKill(gone);
  clearOom(gone);
  clearUserKill(gone);
  assert.deepEqual([wasOomKilled(gone), wasUserKilled(gone)], [false, false]);
});

test('a risen count of kills names a kill for memory', () => {
  events('low 0\nhigh 0\nmax 3\noom 1\noom_kill 1\n');
  assert.equal(classifyOom(cgroup, none), true);
});

test('a cgroup without kills gives no answer', () => {
  events('low 0\nhigh 0\nmax 0\noom 0\noom_kill 0\n');
  assert.equal(classifyOom(cgroup, none), false);
});

test('a limit that was reached and ended no process gives no answer', () => {
  events('low 0\nhigh 0\nmax 5\noom 2\noom_kill 0\n');
  assert.equal(classifyOom(cgroup, none), false);
});

test('a cgroup without the file gives no answer, and there was no evidence to be had', () => {
  assert.equal(classifyOom(cgroup, none), false);
  assert.equal(readOomCounts(cgroup), null);
  assert.equal(new OomWatch(cgroup).available, false);
  assert.equal(new OomWatch(null).available, false);
});

test('a count that cannot be read as a number is 0', () => {
  events('oom what\noom_kill later\n');
  assert.deepEqual(readOomCounts(cgroup), none);
  assert.equal(classifyOom(cgroup, none), false);
});

test('a count from before the start gives no answer: only a rise does', () => {
  events('low 0\nhigh 0\nmax 0\noom 0\noom_kill 4\n');
  assert.equal(classifyOom(cgroup, { oom: 0n, oomKill: 4n }), false);
  assert.equal(classifyOom(cgroup, { oom: 0n, oomKill: 3n }), true);
  assert.equal(classifyOom(cgroup, { oom: 0n, oomKill: 5n }), false);
});

test('what a watch finds reaches the folder as the file, once however often it is asked', () => {
  events('oom 0\noom_kill 2\n');
  const watch = new OomWatch(cgroup);
  watch.record(folder);
  assert.deepEqual(readdirSync(folder), []);
  events('oom 0\noom_kill 3\n');
  watch.record(folder);
  watch.record(folder);
  assert.deepEqual(readdirSync(folder), ['oom']);
  assert.equal(wasOomKilled(folder), true);
});

test('a file that appears after the start says nothing: its kills may be old', () => {
  const watch = new OomWatch(cgroup);
  events('oom 0\noom_kill 7\n');
  watch.record(folder);
  assert.equal(wasOomKilled(folder), false);
});

test('a rise above 2^53 is seen', () => {
  events('oom_kill 9007199254740992\n');
  const watch = new OomWatch(cgroup);
  events('oom_kill 9007199254740993\n');
  watch.record(folder);
  assert.equal(wasOomKilled(folder), true);
});
