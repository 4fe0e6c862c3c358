import assert from 'node:assert/strict';
import { test } from 'node:test';
import { killInTree, type TreeInTime } from '../../../src/evidence/kernel-log.ts';
import type { OomKill } from '../../../src/machine/oom-kills.ts';
import { SeenPids } from '../../../src/usage/seen-pids.ts';

const second = 1_000_000;
/** A start from 100 s to 200 s after boot, whose leader is 40 and whose child 41 was seen last at 190 s. */
const tree = (rest: Partial<TreeInTime> = {}): TreeInTime => ({
  fromUs: 100 * second,
  toUs: 200 * second,
  nowUs: 201 * second,
  leader: 40,
  lastSeenUs: (pid) => (pid === 41 ? 190 * second : null),
  cgroup: null,
  ...rest,
});
const kill = (pid: number, at = 195, memcg: string | null = null): OomKill => ({ pid, atUs: at * second, memcg });

test("the kill of the leader or of a process that was seen in the tree is the start's, another's is not", () => {
  assert.deepEqual(killInTree([kill(7), kill(40)], tree()), { pid: 40, ownMemcg: false });
  assert.deepEqual(killInTree([kill(41)], tree()), { pid: 41, ownMemcg: false });
  assert.equal(killInTree([kill(7), kill(42)], tree()), 'nothing');
  assert.equal(killInTree([kill(40)], tree({ leader: null })), 'nothing');
  assert.equal(killInTree([], tree()), 'nothing');
  assert.equal(killInTree(null, tree()), 'unread');
});

test("only a kill in the start's time counts: the same pid was another process before and is one after", () => {
  for (const at of [0, 97, 203]) assert.equal(killInTree([kill(40, at)], tree()), 'nothing', `at ${at}`);
  for (const at of [99, 100, 200, 201])
    assert.deepEqual(killInTree([kill(40, at)], tree()), { pid: 40, ownMemcg: false });
});

test('how far the clocks may have parted grows with the time that the machine has been up', () => {
  const day = 86_400 * second;
  const late = tree({ fromUs: day, toUs: day + second, nowUs: day + second });
  assert.deepEqual(killInTree([{ pid: 40, atUs: day - 10 * second, memcg: null }], late), { pid: 40, ownMemcg: false });
  assert.equal(killInTree([{ pid: 40, atUs: day - 30 * second, memcg: null }], late), 'nothing');
});

test('a process that was out of sight for long before the kill is a stranger with its pid', () => {
  const long = tree({ fromUs: 0, lastSeenUs: () => 50 * second });
  assert.deepEqual(killInTree([kill(41, 105)], long), { pid: 41, ownMemcg: false });
  assert.equal(killInTree([kill(41, 115)], long), 'nothing');
});

test('a kill at the own limit is told before others, and by the name of the own cgroup alone', () => {
  const cgroup = 'orca-run-1-1-7';
  const kills = [kill(41), kill(40, 196, `/base/${cgroup}`)];
  assert.deepEqual(killInTree(kills, tree({ cgroup })), { pid: 40, ownMemcg: true });
  for (const memcg of ['/base', `/base/${cgroup}/below`, `/base/x${cgroup}`, '/'])
    assert.deepEqual(killInTree([kill(40, 195, memcg)], tree({ cgroup })), { pid: 40, ownMemcg: false }, memcg);
  assert.deepEqual(killInTree([kill(40, 195, '/x')], tree()), { pid: 40, ownMemcg: false });
});

test('of the pids of a tree those that were seen last are kept, and not without a bound', () => {
  const seen = new SeenPids();
  seen.note([1, 2], 10);
  assert.deepEqual([seen.lastSeenUs(1), seen.lastSeenUs(3)], [10, null]);
  seen.note([1], 20);
  seen.note(
    Array.from({ length: 1023 }, (_, at) => at + 100),
    30,
  );
  assert.deepEqual([seen.lastSeenUs(1), seen.lastSeenUs(2), seen.lastSeenUs(100)], [20, null, 30]);
});
