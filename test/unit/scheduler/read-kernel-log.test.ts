import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseExit, type ExitRecord } from '../../../src/keeper/records.ts';
import type { OomKill } from '../../../src/machine/oom-kills.ts';
import type { LiveStart } from '../../../src/scheduler/live-start.ts';
import { readKernelLog } from '../../../src/scheduler/read-kernel-log.ts';
import type { Scheduler } from '../../../src/scheduler/scheduler.ts';
import { SeenPids } from '../../../src/usage/seen-pids.ts';

const second = 1_000_000;
/** The machine has been up for 1000 s; the start of pid 40 ran from 900 s to 990 s after boot. */
const record = (keys: object = {}): ExitRecord => {
  const facts = { protocol: 1, keeper: 'native', how: 'signalled', signal: 9, boot: 'b', ended_ms: 5_000_000 - 10_000 };
  const { value } = parseExit(JSON.stringify({ ...facts, elapsed_us: 90 * second, ...keys }));
  assert.ok(value !== null);
  return value;
};
const killOf40: OomKill = { atUs: 950 * second, pid: 40, memcg: null };

interface Place {
  readonly scheduler: Scheduler;
  readonly live: LiveStart;
  asked: number;
}
const place = (kills: readonly OomKill[] | null, rest: object = {}, live: object = {}): Place => {
  const made = { asked: 0 };
  const scheduler = {
    inPidNamespace: false,
    bootId: 'b',
    host: { now: () => 5_000_000, monotonicUs: () => 1000 * second },
    kernelLog: {
      kills: () => {
        made.asked += 1;
        return Promise.resolve(kills);
      },
    },
    cgroupFs: { read: () => null },
    ...rest,
  } as unknown as Scheduler;
  const start = {
    pid: 40,
    cgroup: null,
    otherBoot: false,
    seenPids: new SeenPids(),
    claimedAt: 4_900_000,
    startedAt: null,
  };
  return Object.assign(made, { scheduler, live: { ...start, ...live } as unknown as LiveStart });
};
const found = { pid: 40, ownMemcg: false };

test("the log names the start's process in the start's time, which its record tells", async () => {
  const { scheduler, live } = place([killOf40]);
  assert.deepEqual(await readKernelLog(scheduler, live, { record: record() }), found);
  assert.deepEqual(await readKernelLog(scheduler, live, { record: record({ how: 'exited', code: 5 }) }), found);
  for (const atUs of [890, 995]) {
    const other = place([{ ...killOf40, atUs: atUs * second }]);
    assert.equal(await readKernelLog(other.scheduler, other.live, { record: record() }), 'nothing', String(atUs));
  }
});

test('a start without a record is looked for from its beginning until now', async () => {
  const { scheduler, live } = place([killOf40]);
  assert.deepEqual(await readKernelLog(scheduler, live, { lost: 'keeper-died' }), found);
});

test('it is read only where it can matter', async () => {
  const events = 'oom 0\noom_kill 0\n';
  for (const [what, ending, rest, live] of [
    ['it ended with 0', { record: record({ how: 'exited', code: 0, signal: null }) }, {}, {}],
    ['it never began', { record: record({ how: 'not-started' }) }, {}, {}],
    ['it was refused', { refused: { stage: 'secret', errno: null, message: '' } }, {}, {}],
    ['its own cgroup was read', { record: record({ cgroup: { path: '/c', events } }) }, {}, {}],
    ['its own cgroup can be read', { lost: 'keeper-died' }, { cgroupFs: { read: () => events } }, { cgroup: '/c' }],
    ['the log names other pids', { record: record() }, { inPidNamespace: true }, {}],
    ['it ran in another boot', { record: record({ boot: 'a' }) }, {}, {}],
    ['it ran in another boot, without a record', { lost: 'reboot' }, {}, { otherBoot: true }],
  ] as const) {
    const made = place([killOf40], rest, live);
    assert.equal(await readKernelLog(made.scheduler, made.live, ending), 'unread', what);
    assert.equal(made.asked, 0, what);
  }
  const unreadable = place([killOf40], {}, { cgroup: '/c' });
  assert.deepEqual(
    await readKernelLog(unreadable.scheduler, unreadable.live, { record: record({ cgroup: { path: '/c' } }) }),
    found,
  );
});

test('where the kernel surely killed something and the log names nobody of it yet, it is read once more', async () => {
  const shared = { file: '/proc/vmstat', before: 'oom_kill 1\n', after: 'oom_kill 2\n' };
  const made = place([]);
  assert.equal(await readKernelLog(made.scheduler, made.live, { record: record({ shared }) }), 'nothing');
  assert.equal(made.asked, 2);
  const same = place([]);
  await readKernelLog(same.scheduler, same.live, { record: record({ shared: { ...shared, after: 'oom_kill 1\n' } }) });
  assert.equal(same.asked, 1);
  const unread = place(null);
  assert.equal(await readKernelLog(unread.scheduler, unread.live, { record: record({ shared }) }), 'unread');
  assert.equal(unread.asked, 1);
});
