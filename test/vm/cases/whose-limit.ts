import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isAlive } from '../../native/support/processes.ts';
import { Resident, type Record_ } from '../../native/support/resident.ts';
import { Cgroup, countIn } from '../support/cgroup.ts';
import { eat } from '../support/place.ts';

interface Kills {
  readonly oom: number;
  readonly oom_kill: number;
  readonly oom_group_kill: number;
}

const killsOf = (record: Record_): Kills => {
  const { events } = record['cgroup'] as { events: string };
  const count = (key: string): number => countIn(events, key);
  return { oom: count('oom'), oom_kill: count('oom_kill'), oom_group_kill: count('oom_group_kill') };
};

describe('a start that dies for memory', () => {
  test('over its own limit the whole tree dies, its own oom has risen, and keeper and neighbour live on', async () => {
    await using cgroup = new Cgroup({ 'memory.max': '32M', 'memory.oom.group': '1' });
    await using beside = new Cgroup({ 'memory.max': '32M', 'memory.oom.group': '1' });
    await using resident = new Resident();
    const neighbour = resident.start([eat, 'anon', '16M', 'say', 'up', 'hold'], { keys: [['cgroup', beside.path]] });
    await resident.said(neighbour, 'up');
    const started = resident.sh(`sleep 60 & ${eat} fork 1 setsid anon 128M; exit 7`, {
      keys: [['cgroup', cgroup.path]],
    });
    const record = await resident.ended(started, 30_000);
    assert.deepEqual([record.how, record.signal], ['signalled', 9]);
    const { oom, oom_kill, oom_group_kill } = killsOf(record);
    assert.ok(oom >= 1 && oom_kill >= 1, JSON.stringify(killsOf(record)));
    assert.equal(oom_group_kill, 1);
    assert.deepEqual(cgroup.pids(), []);
    assert.ok(isAlive((await resident.pids(neighbour)).command));
    assert.equal(beside.count('oom_kill'), 0);
    resident.ctl(neighbour, 'kill none');
    await resident.ended(neighbour);
  });

  test('without the group kill only the child dies, and its parent can tell', async () => {
    await using cgroup = new Cgroup({ 'memory.max': '32M', 'memory.oom.group': '0' });
    await using resident = new Resident();
    const record = await resident.ended(
      resident.start([eat, 'fork', '1', 'anon', '128M'], { keys: [['cgroup', cgroup.path]] }),
      30_000,
    );
    assert.deepEqual([record.how, record.code], ['exited', 5]);
    const { oom, oom_kill, oom_group_kill } = killsOf(record);
    assert.ok(oom >= 1 && oom_kill >= 1, JSON.stringify(killsOf(record)));
    assert.equal(oom_group_kill, 0);
  });

  test('over its parent’s limit its own oom has not risen, and its oom_kill has', async () => {
    await using parent = new Cgroup({ 'memory.max': '48M' });
    await using cgroup = parent.child({ 'memory.oom.group': '1' });
    await using resident = new Resident();
    const record = await resident.ended(
      resident.start([eat, 'anon', '128M'], { keys: [['cgroup', cgroup.path]] }),
      30_000,
    );
    assert.deepEqual([record.how, record.signal], ['signalled', 9]);
    const { oom, oom_kill } = killsOf(record);
    assert.equal(oom, 0);
    assert.ok(oom_kill >= 1, `oom_kill is ${oom_kill}`);
    assert.ok(parent.count('oom') >= 1);
  });

  test('a kill from outside raises no count', async () => {
    await using cgroup = new Cgroup({ 'memory.max': '32M', 'memory.oom.group': '1' });
    await using resident = new Resident();
    const started = resident.start([eat, 'anon', '16M', 'say', 'up', 'hold'], { keys: [['cgroup', cgroup.path]] });
    await resident.said(started, 'up');
    process.kill((await resident.pids(started)).command, 'SIGKILL');
    const record = await resident.ended(started);
    assert.equal(record.signal, 9);
    assert.deepEqual(killsOf(record), { oom: 0, oom_kill: 0, oom_group_kill: 0 });
  });
});
