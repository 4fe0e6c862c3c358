import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { withoutKeeper } from './support/binary.ts';
import { behaviour, fakeDaemon, letLeave, startsOf } from './support/fake-daemon.ts';
import { encode } from './support/frames.ts';
import { processOf } from './support/processes.ts';
import { Resident } from './support/resident.ts';
import { until } from './support/until.ts';

describe('a daemon that goes', { skip: withoutKeeper() }, () => {
  test('without work: the resident goes too', async () => {
    await using resident = new Resident();
    resident.send('program', fakeDaemon(resident, 'daemon', behaviour.fails));
    resident.send('work', [['queued', '0']]);
    await resident.ended(resident.start(['true']));
    resident.stream.destroy();
    await resident.gone();
    assert.deepEqual(startsOf(resident, 'daemon'), []);
  });

  for (const why of ['a run is active', 'runs are queued'] as const) {
    test(`while ${why}: it is started again with a stream on descriptor 3, its output in the log`, async () => {
      await using resident = new Resident();
      resident.send('program', fakeDaemon(resident, 'daemon', behaviour.stays));
      const started = why === 'a run is active' ? resident.start(['sleep', '60']) : null;
      if (started) await resident.frame('running', started);
      else resident.send('work', [['queued', '1']]);
      await resident.ended(resident.start(['true']));
      resident.stream.destroy();
      await until('the daemon', () => startsOf(resident, 'daemon').length === 1);
      assert.match(startsOf(resident, 'daemon')[0] ?? '', /^3 /);
      const log = join(resident.dir, 'daemon.log');
      await until('the log', () => existsSync(log) && readFileSync(log, 'utf8') === 'a line of daemon\n');
      assert.equal(statSync(log).mode & 0o777, 0o600);
      letLeave(resident);
      if (started) assert.equal(resident.ctl(started, 'kill none'), 'done');
      await resident.gone();
      assert.equal(startsOf(resident, 'daemon').length, 1);
    });
  }

  test('one that fails is started again and again, each time later', async () => {
    await using resident = new Resident();
    const script = `[ "$(wc -l < "$DIR/daemon.starts")" -lt 4 ] && exit 1; ${behaviour.stays}`;
    resident.send('program', fakeDaemon(resident, 'daemon', script));
    resident.send('work', [['queued', '1']]);
    await resident.ended(resident.start(['true']));
    resident.stream.destroy();
    await until('four daemons', () => startsOf(resident, 'daemon').length === 4);
    const times = startsOf(resident, 'daemon').map((line) => Number(line.split(' ')[2]) / 1e6);
    const gaps = times.slice(1).map((time, i) => time - (times[i] ?? 0));
    assert.ok((gaps[0] ?? 0) >= 190 && (gaps[1] ?? 0) >= 390 && (gaps[2] ?? 0) >= 790, `gaps ${gaps.join(' ')}`);
    letLeave(resident);
    await resident.gone();
  });

  test('a program that cannot be executed is told in the log and tried again', async () => {
    await using resident = new Resident();
    const log = join(resident.dir, 'log');
    resident.send('program', [
      ['arg', '/nonexistent/daemon'],
      ['log', log],
    ]);
    resident.send('work', [['queued', '1']]);
    await resident.ended(resident.start(['true']));
    resident.stream.destroy();
    await until('two tries', () => existsSync(log) && readFileSync(log, 'utf8').split('\n').length > 2);
    assert.match(readFileSync(log, 'utf8'), /could not be started again: No such file or directory/);
    resident.child.kill('SIGTERM');
    await resident.gone();
  });

  test('a run that ends while no daemon is there still brings one back', async () => {
    await using resident = new Resident();
    resident.send('program', fakeDaemon(resident, 'daemon', behaviour.stays));
    const started = resident.sh('sleep 0.05');
    await resident.frame('running', started);
    resident.stream.destroy();
    await until('the daemon', () => startsOf(resident, 'daemon').length === 1);
    letLeave(resident);
    await resident.gone();
  });

  test('and one that then fails is tried again, since nobody has recorded that end', async () => {
    await using resident = new Resident();
    const script = `[ "$(wc -l < "$DIR/daemon.starts")" -lt 2 ] && exit 1; ${behaviour.stays}`;
    resident.send('program', fakeDaemon(resident, 'daemon', script));
    const started = resident.sh('sleep 0.05');
    await resident.frame('running', started);
    resident.stream.destroy();
    await until('the second daemon', () => startsOf(resident, 'daemon').length === 2);
    letLeave(resident);
    await resident.gone();
  });

  test('goodbye: the resident stays for its keepers, starts no daemon, then exits', async () => {
    await using resident = new Resident();
    resident.send('program', fakeDaemon(resident, 'daemon', behaviour.fails));
    resident.send('work', [['queued', '1']]);
    const started = resident.start(['sleep', '60']);
    await resident.frame('running', started);
    resident.send('goodbye');
    resident.stream.end();
    await until('the stream to end', () => resident.stream.readableEnded || resident.stream.destroyed);
    assert.equal(resident.exited, false);
    resident.ctl(started, 'kill none');
    await resident.gone();
    assert.equal(resident.child.exitCode, 0);
    assert.deepEqual(startsOf(resident, 'daemon'), []);
  });

  test('goodbye counts though the daemon closed at once and the resident had more to say', async () => {
    await using resident = new Resident();
    resident.send('program', fakeDaemon(resident, 'daemon', behaviour.fails));
    resident.send('work', [['queued', '1']]);
    await resident.frame('hello');
    for (let i = 0; i < 20; i++) resident.start(['true']);
    resident.stream.write(encode('goodbye'), () => resident.stream.destroy());
    await resident.gone();
    assert.deepEqual(startsOf(resident, 'daemon'), []);
  });

  test('hand-over: the new program is started at once, also without work', async () => {
    await using resident = new Resident();
    resident.send('program', fakeDaemon(resident, 'old', behaviour.fails));
    resident.send('handover', fakeDaemon(resident, 'new', behaviour.stays));
    resident.stream.end();
    await until('the new daemon', () => startsOf(resident, 'new').length === 1);
    assert.deepEqual(startsOf(resident, 'old'), []);
    letLeave(resident);
    await resident.gone();
  });

  test('status 3, another daemon is in charge: no more is started, and the resident leaves after its last keeper', async () => {
    await using resident = new Resident();
    resident.send('program', fakeDaemon(resident, 'daemon', behaviour.notInCharge));
    const started = resident.start(['sleep', '60']);
    resident.send('work', [['queued', '1']]);
    await resident.frame('running', started);
    resident.stream.destroy();
    await until('the daemon', () => startsOf(resident, 'daemon').length === 1);
    // Were it started again, that would be after 0.2 s.
    await until('its log', () => existsSync(join(resident.dir, 'daemon.log')));
    await new Promise((resolve) => setTimeout(resolve, 400));
    assert.equal(startsOf(resident, 'daemon').length, 1);
    assert.equal(resident.exited, false);
    resident.ctl(started, 'kill none');
    await resident.gone();
    assert.equal((await resident.exitRecord(started)).how, 'signalled');
  });

  test('requests that the resident had not read when the daemon died are never carried out', async () => {
    await using resident = new Resident();
    await resident.ended(resident.start(['true']));
    process.kill(resident.pid, 'SIGSTOP');
    await until('the resident to be stopped', () => processOf(resident.pid)?.state === 'T');
    const unread = resident.prepare(['true']);
    await new Promise<void>((resolve) => {
      resident.stream.write(encode('start', unread.pairs), () => resolve());
    });
    resident.stream.destroy();
    process.kill(resident.pid, 'SIGCONT');
    await resident.gone();
    assert.equal(existsSync(join(unread.started.folder, 'begun')), false);
  });

  test('a tree of a dead keeper is ended also while no daemon is there, and the daemon is no part of it', async () => {
    await using resident = new Resident();
    resident.send('program', fakeDaemon(resident, 'daemon', behaviour.stays));
    const one = resident.sh('setsid sleep 60 & sleep 60');
    const { keeper } = await resident.pids(one);
    await resident.frame('running', one);
    resident.stream.destroy();
    await until('the daemon', () => startsOf(resident, 'daemon').length === 1);
    process.kill(keeper, 'SIGKILL');
    assert.equal((await resident.exitRecord(one)).how, 'keeper-died');
    assert.equal(resident.exited, false);
    letLeave(resident);
    await resident.gone();
    assert.equal(startsOf(resident, 'daemon').length, 1);
  });
});
