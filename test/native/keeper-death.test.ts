import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { withoutKeeper } from './support/binary.ts';
import { isAlive, withEnv } from './support/processes.ts';
import { Resident } from './support/resident.ts';
import { until } from './support/until.ts';

describe('a keeper that dies', { skip: withoutKeeper() }, () => {
  test('the resident ends its tree, then says keeper-died with the marks that were made', async () => {
    await using resident = new Resident();
    const started = resident.sh(
      "trap '' TERM; setsid sleep 60 & setsid sh -c 'sleep 60 & wait' & echo up; while :; do sleep 0.05; done",
    );
    await resident.said(started, 'up');
    resident.ctl(started, 'term user 60000 by ada');
    const { keeper } = await resident.pids(started);
    process.kill(keeper, 'SIGKILL');
    const record = await resident.ended(started);
    assert.deepEqual(withEnv(`ORCA_START=${started.uuid}`), []);
    assert.equal(record.how, 'keeper-died');
    assert.deepEqual([record.code, record.signal, record['max_rss_bytes']], [null, null, null]);
    assert.deepEqual(
      record.marks.map((m) => [m.mark, m.text]),
      [['user', 'by ada']],
    );
    assert.deepEqual(JSON.parse(readFileSync(join(started.folder, 'exit'), 'utf8')), record);
    assert.equal(existsSync(join(started.folder, 'ctl')), false);
  });

  test('an orphan whose environment was cleared is ended too', async () => {
    await using resident = new Resident();
    const started = resident.sh("(env -i setsid sh -c 'echo orphan $$; exec sleep 60' &) ; sleep 60");
    await resident.said(started, 'orphan');
    const orphan = Number(/orphan (\d+)/.exec(readFileSync(started.out, 'utf8'))?.[1]);
    const { keeper } = await resident.pids(started);
    process.kill(keeper, 'SIGKILL');
    assert.equal((await resident.ended(started)).how, 'keeper-died');
    assert.equal(isAlive(orphan), false);
  });

  test('what carries the start’s ORCA_START is ended wherever it hangs', async () => {
    await using resident = new Resident();
    const started = resident.start(['sleep', '60']);
    const { keeper } = await resident.pids(started);
    const elsewhere = spawn('sleep', ['60'], { env: { ...process.env, ORCA_START: started.uuid }, stdio: 'ignore' });
    await until('its environment', () => withEnv(`ORCA_START=${started.uuid}`).includes(elsewhere.pid ?? 0));
    process.kill(keeper, 'SIGKILL');
    await resident.ended(started);
    await until('its end', () => elsewhere.signalCode === 'SIGKILL');
  });

  test('another start’s tree is left alone', async () => {
    await using resident = new Resident();
    const victim = resident.sh('sleep 60');
    const other = resident.sh('(setsid sleep 60 &) ; echo up; sleep 60');
    await resident.said(other, 'up');
    process.kill((await resident.pids(victim)).keeper, 'SIGKILL');
    await resident.ended(victim);
    assert.equal(withEnv(`ORCA_START=${other.uuid}`).length, 3);
    resident.ctl(other, 'kill none');
    assert.equal((await resident.ended(other)).how, 'signalled');
  });

  test('an exit record that it wrote before stays', async () => {
    await using resident = new Resident();
    const started = resident.sh(
      "sh -c \"trap '' TERM; echo child; while :; do sleep 0.05; done\" & trap 'exit 6' TERM; while :; do sleep 0.02; done",
    );
    await resident.said(started, 'child');
    resident.ctl(started, 'term user 60000');
    await resident.exitRecord(started);
    process.kill((await resident.pids(started)).keeper, 'SIGKILL');
    const record = await resident.ended(started);
    assert.deepEqual([record.how, record.code], ['exited', 6]);
    assert.deepEqual(withEnv(`ORCA_START=${started.uuid}`), []);
  });

  test('killed at any moment of its life, each start is answered once and leaves nothing', async () => {
    await using resident = new Resident();
    // Each keeper is killed a little later in its life than the one before: before begun, between begun, pid and exec, …
    for (let i = 0; i < 40; i++) {
      const started = resident.sh('setsid sleep 60 & sleep 60');
      const keeper = await until('the keeper', () => keepersOf(resident.pid)[0], 8000);
      const end = performance.now() + i * 0.1;
      while (performance.now() < end);
      process.kill(keeper, 'SIGKILL');
      const answer = await until('an answer', () =>
        resident.frames.find((f) => f.get('run') === String(started.run) && f.verb !== 'running'),
      );
      assert.deepEqual(withEnv(`ORCA_START=${started.uuid}`), []);
      if (answer.verb === 'void') {
        assert.equal(readFileSync(join(started.folder, 'begun'), 'utf8'), 'void\n');
        assert.equal(existsSync(join(started.folder, 'exit')), false);
      } else {
        assert.equal((await resident.ended(started)).how, 'keeper-died');
      }
    }
    const answers = resident.frames.filter((f) => f.verb === 'ended' || f.verb === 'void' || f.verb === 'refused');
    assert.equal(answers.length, 40);
  });

  test('a resident that dies leaves keepers that finish and write their records', async () => {
    await using resident = new Resident();
    const go = join(resident.dir, 'go');
    const started = resident.sh('while [ ! -e "$GO" ]; do sleep 0.02; done; setsid sleep 60 & exit 8', {
      env: { GO: go },
    });
    const { keeper } = await resident.pids(started);
    resident.child.kill('SIGKILL');
    await resident.gone();
    const { command } = await resident.pids(started);
    assert.equal(resident.ctl(started, 'ping'), `alive ${command}`);
    writeFileSync(go, '');
    assert.equal((await resident.exitRecord(started)).code, 8);
    await resident.processGone(keeper);
    assert.deepEqual(withEnv(`ORCA_START=${started.uuid}`), []);
    assert.equal(existsSync(join(started.folder, 'ctl')), false);
  });

  test('hang-ups, interrupts and quits do not end a resident', async () => {
    await using resident = new Resident();
    await resident.frame('hello');
    for (const signal of ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGPIPE'] as const) process.kill(resident.pid, signal);
    assert.equal((await resident.ended(resident.sh('exit 2'))).code, 2);
  });
});

/** Children of the resident that live; those of the start before may still be zombies. */
const keepersOf = (resident: number): number[] =>
  readFileSync(`/proc/${resident}/task/${resident}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(Number)
    .filter(isAlive);
