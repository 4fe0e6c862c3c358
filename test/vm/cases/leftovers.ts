import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { describe, test } from 'node:test';
import { Resident } from '../../native/support/resident.ts';
import { until } from '../../native/support/until.ts';
import { Cgroup } from '../support/cgroup.ts';
import { eat } from '../support/place.ts';

describe('a start of 200 processes, each in a session of its own', () => {
  test('leaves none behind when it is killed', async () => {
    await using cgroup = new Cgroup();
    await using resident = new Resident();
    const started = resident.start([eat, 'fork', '200', 'setsid', 'hold'], { keys: [['cgroup', cgroup.path]] });
    await cgroup.until('the leader and 200 children', () => cgroup.pids().length === 201);
    assert.equal(resident.ctl(started, 'kill user enough'), 'done');
    const record = await resident.ended(started);
    assert.equal(record.signal, 9);
    assert.deepEqual(
      record.marks.map(({ mark }) => mark),
      ['user'],
    );
    assert.deepEqual(cgroup.pids(), []);
    assert.equal(cgroup.count('populated', 'cgroup.events'), 0);
  });

  test('leaves none behind when its leader has ended well', async () => {
    await using cgroup = new Cgroup();
    await using resident = new Resident();
    const go = `${resident.dir}/go`;
    const started = resident.sh(`${eat} leave 200 setsid hold; until [ -e ${go} ]; do sleep 0.1; done`, {
      keys: [['cgroup', cgroup.path]],
    });
    await resident.said(started, 'left 200');
    assert.ok(cgroup.pids().length >= 201, String(cgroup.pids().length));
    resident.sh(`touch ${go}`);
    const record = await resident.ended(started);
    assert.deepEqual([record.how, record.code], ['exited', 0]);
    assert.deepEqual(cgroup.pids(), []);
    assert.equal(cgroup.count('populated', 'cgroup.events'), 0);
  });
});

describe('a cgroup whose start is over', () => {
  test('holds no process that came into it from elsewhere', async () => {
    await using cgroup = new Cgroup();
    await using resident = new Resident();
    const stranger = spawn(eat, ['hold'], { stdio: 'ignore', env: {} });
    cgroup.put(stranger.pid ?? 0);
    const started = resident.start([eat, 'say', 'up', 'hold'], { keys: [['cgroup', cgroup.path]] });
    await resident.said(started, 'up');
    assert.equal(cgroup.pids().length, 2);
    process.kill((await resident.pids(started)).command, 'SIGTERM');
    await resident.ended(started);
    await until('the stranger to be killed', () => stranger.signalCode === 'SIGKILL');
    assert.deepEqual(cgroup.pids(), []);
  });

  test('holds no process though its keeper was killed, and they have neither session nor environment of the start', async () => {
    await using cgroup = new Cgroup();
    await using resident = new Resident();
    const script = `env -i ${eat} leave 20 setsid hold; exec ${eat} hold`;
    const started = resident.sh(script, { keys: [['cgroup', cgroup.path]] });
    await resident.said(started, 'left 20');
    process.kill((await resident.pids(started)).keeper, 'SIGKILL');
    const record = await resident.ended(started);
    assert.equal(record.how, 'keeper-died');
    assert.deepEqual(cgroup.pids(), []);
  });
});
