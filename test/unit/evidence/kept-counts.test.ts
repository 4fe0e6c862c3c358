import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keptCounts } from '../../../src/evidence/counters.ts';
import type { ExitFacts } from '../../../src/evidence/evidence.ts';
import { own, signal } from './a-start.ts';

const exitWith = (events: string | null): ExitFacts => signal(9, { cgroup: { ...own(0, 0), events } });

test('what its cgroup counted is kept as the keeper read it, else as the daemon did', () => {
  const events = 'low 0\nhigh 9\nmax 4\noom 3\noom_kill 2\noom_group_kill 1\n';
  const counts = { oom: 3, oom_kill: 2, oom_group_kill: 1 };
  assert.deepEqual(keptCounts({ exit: exitWith(events), ownEvents: 'oom 7\n' }), counts);
  assert.deepEqual(keptCounts({ exit: exitWith(null), ownEvents: events }), counts);
  assert.deepEqual(keptCounts({ exit: null, ownEvents: events }), counts);
});

test('a count that was not told is not known, which is not 0', () => {
  const none = { oom: null, oom_kill: null, oom_group_kill: null };
  assert.deepEqual(keptCounts({ exit: null, ownEvents: null }), none);
  assert.deepEqual(keptCounts({ exit: exitWith(null), ownEvents: null }), none);
  assert.deepEqual(keptCounts({ exit: null, ownEvents: 'oom x\noom_kill 1 2\n' }), none);
  assert.deepEqual(keptCounts({ exit: null, ownEvents: 'oom 0\noom_kill 0\n' }), {
    oom: 0,
    oom_kill: 0,
    oom_group_kill: null,
  });
});
