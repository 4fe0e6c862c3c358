import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { OomKillFinder, type OomKill } from '../../../src/machine/oom-kills.ts';

const killsIn = (...records: string[]): OomKill[] => {
  const finder = new OomKillFinder();
  return records.flatMap((record) => finder.take(record) ?? []);
};

const ownLimit =
  '6,712,8001234,-;oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/a/orca-run-1-1-7,task_memcg=/a/orca-run-1-1-7,task=eat,pid=88,uid=0\n';
const machine =
  '6,801,9000000,-;oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,global_oom,task_memcg=/user.slice,task=eat,pid=91,uid=1000\n';

test("a machine's and a cgroup's kill are found with pid, time and the cgroup whose limit it was", () => {
  assert.deepEqual(
    killsIn(
      '6,700,8001000,-;eat invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=1000\n',
      '6,701,8001100,-;CPU: 0 PID: 88 Comm: eat Not tainted 6.1.0 #1\n SUBSYSTEM=x\n DEVICE=y\n',
      ownLimit,
      '3,713,8001300,-;Memory cgroup out of memory: Killed process 88 (eat) total-vm:70000kB, anon-rss:4kB, UID:0 pgtables:1kB oom_score_adj:1000\n',
      machine,
      '3,802,9000100,-,caller=T91;Out of memory: Killed process 91 (eat) total-vm:70000kB, anon-rss:4kB, UID:1000\n',
    ),
    [
      { atUs: 8001300, pid: 88, memcg: '/a/orca-run-1-1-7' },
      { atUs: 9000100, pid: 91, memcg: null },
    ],
  );
});

test('the words of other kernels are known', () => {
  for (const text of [
    'Killed process 91 (eat) total-vm:7kB, anon-rss:4kB',
    'Killed process 91 (eat), UID 1000, total-vm:7kB',
    'Out of memory (oom_kill_allocating_task): Killed process 91 (eat) total-vm:7kB',
  ])
    assert.deepEqual(killsIn(`3,1,5,-;${text}\n`), [{ atUs: 5, pid: 91, memcg: null }], text);
  // Before Linux 5 this told of a choice, of which a child may have been the victim.
  assert.deepEqual(killsIn('3,1,5,-;Out of memory: Kill process 91 (eat) score 9 or sacrifice child\n'), []);
});

test('the cgroup of one kill is not taken for that of another whose own line was left out', () => {
  const [first, second] = killsIn(
    ownLimit,
    '3,713,8001300,-;Memory cgroup out of memory: Killed process 88 (eat) total-vm:7kB\n',
    '3,714,8001301,-;Memory cgroup out of memory: Killed process 89 (eat) total-vm:7kB\n',
  );
  assert.deepEqual([first?.memcg, second?.memcg], ['/a/orca-run-1-1-7', null]);
});

test("what a program wrote into the log is never taken for the kernel's word", () => {
  for (const priority of ['11', '14', '99', '30', ''])
    assert.deepEqual(killsIn(`${priority},9,5,-;Out of memory: Killed process 91 (eat) total-vm:7kB\n`), []);
});

test('names that look like the words themselves change neither pid nor cgroup', () => {
  const killed = '3,2,6,-;Memory cgroup out of memory: Killed process 88 (a) total-vm:1kB,pid=7,uid=0\n';
  const named = (memcg: string, task: string, name: string): string =>
    `6,1,5,-;oom-kill:constraint=CONSTRAINT_MEMCG,cpuset=/,oom_memcg=${memcg},task_memcg=${task},task=${name},pid=88,uid=0\n`;
  assert.equal(killsIn(named('/p', '/p/q', 'x,pid=7,uid=0'), killed)[0]?.memcg, '/p');
  for (const record of [
    named('/p,task_memcg=/own', '/p/q', 'x'),
    named('/p', '/p,oom_memcg=/own', 'x'),
    named('/p', '/q', 'x,oom_memcg=/own'),
    '6,1,5,-;oom-kill:constraint=CONSTRAINT_NONE,global_oom,task_memcg=/a,oom_memcg=/own,task=x,pid=88,uid=0\n',
  ])
    assert.deepEqual(killsIn(record, killed), [{ atUs: 6, pid: 88, memcg: null }], record);
  for (const text of [
    'x Out of memory: Killed process 91 (eat) total-vm:1kB',
    'CPU: 0 PID: 3 Comm: Killed process 91 Not tainted',
    'Killed process  91 (eat)',
    'Killed process 91',
    'Out of memory: Killed process 0 (eat) total-vm:1kB',
    'Out of memory: Killed process 12345678901 (eat) total-vm:1kB',
  ])
    assert.deepEqual(killsIn(`3,1,5,-;${text}\n`), [], text);
});

test('a record that is cut anywhere, or is anything at all, throws nothing and names no other process', () => {
  const whole = [ownLimit, '3,713,8001300,-;Memory cgroup out of memory: Killed process 88 (eat) total-vm:7kB\n'];
  for (const [at, record] of whole.entries())
    for (let cut = 0; cut < record.length; cut += 1) {
      const kills = killsIn(...whole.slice(0, at), record.slice(0, cut));
      assert.ok(
        kills.every(({ pid }) => pid === 88),
        record.slice(0, cut),
      );
    }
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(ownLimit, machine, 'oom-kill:', ',pid=', '3,1,5,-;'),
  );
  fc.assert(
    fc.property(fc.array(fc.array(text).map((parts) => parts.join(''))), (records) => {
      for (const { atUs, pid } of killsIn(...records)) assert.ok(Number.isSafeInteger(atUs) && pid > 0);
    }),
  );
});
