import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { keepBinary, withoutKeeper } from './support/binary.ts';
import { processOf } from './support/processes.ts';
import { Resident, type Started } from './support/resident.ts';
import { until } from './support/until.ts';

const marksOf = (started: Started): unknown[] =>
  readFileSync(join(started.folder, 'marks'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { mark: string }).mark);

describe('ctl', { skip: withoutKeeper() }, () => {
  test('ping names the leader', async () => {
    await using resident = new Resident();
    const started = resident.start(['sleep', '60']);
    const { command } = await resident.pids(started);
    assert.equal(resident.ctl(started, 'ping'), `alive ${command}`);
    resident.ctl(started, 'kill user');
    await resident.ended(started);
  });

  test('term marks first, then asks the process group to end', async () => {
    await using resident = new Resident();
    // The command looks for the mark at the moment of its signal.
    const started = resident.sh('trap \'cat "$MARKS"; exit 9\' TERM; echo up; while :; do sleep 0.02; done', {
      env: { MARKS: join(resident.dir, 'starts', '1.1', 'marks') },
    });
    await resident.said(started, 'up');
    assert.equal(resident.ctl(started, 'term user 20000 orca kill by "ada" \\ zoë'), 'done');
    const record = await resident.ended(started);
    assert.deepEqual([record.how, record.code], ['exited', 9]);
    assert.deepEqual(
      record.marks.map((m) => [m.mark, m.text]),
      [['user', 'orca kill by "ada" \\ zoë']],
    );
    assert.match(readFileSync(started.out, 'utf8'), /^up\n\{"mark":"user"/);
  });

  test('kill ends the whole tree at once, though it ignores SIGTERM', async () => {
    await using resident = new Resident();
    const started = resident.sh("trap '' TERM; setsid sh -c 'sleep 60 & sleep 60' & echo up; sleep 60");
    await resident.said(started, 'up');
    assert.equal(resident.ctl(started, 'kill held at its limit'), 'done');
    const record = await resident.ended(started);
    assert.deepEqual([record.signal, record.marks[0]?.mark, record.marks[0]?.text], [9, 'held', 'at its limit']);
  });

  test('marks are kept once each, in the order they came, and none leaves no mark', async () => {
    await using resident = new Resident();
    const started = resident.sh("trap '' TERM; echo up; while :; do sleep 0.05; done");
    await resident.said(started, 'up');
    for (const line of ['none 60000', 'cap 60000 a', 'user 60000 b', 'cap 60000 c', 'held 60000 d']) {
      assert.equal(resident.ctl(started, `term ${line}`), 'done');
    }
    assert.deepEqual(marksOf(started), ['cap', 'user', 'held']);
    assert.equal(resident.ctl(started, 'kill user'), 'done');
    const record = await resident.ended(started);
    assert.deepEqual(
      record.marks.map((m) => m.mark),
      ['cap', 'user', 'held'],
    );
    assert.equal(record.signal, 9);
  });

  test('a second term with a shorter grace shortens it, one with a longer does not lengthen it', async () => {
    await using resident = new Resident();
    const started = resident.sh("trap '' TERM; echo up; while :; do sleep 0.05; done");
    await resident.said(started, 'up');
    resident.ctl(started, 'term user 60000');
    resident.ctl(started, 'term user 100');
    resident.ctl(started, 'term user 60000');
    assert.equal((await resident.ended(started)).signal, 9);
  });

  test('what is left after the leader’s end has the rest of the grace, and ctl says ended meanwhile', async () => {
    await using resident = new Resident();
    const left = 'trap \'\' TERM; echo child; while [ ! -e "$GO" ]; do sleep 0.02; done; echo child is done';
    const go = join(resident.dir, 'go');
    const started = resident.sh('sh -c "$LEFT" & trap "exit 4" TERM; while :; do sleep 0.02; done', {
      env: { LEFT: left, GO: go },
    });
    await resident.said(started, 'child');
    assert.equal(resident.ctl(started, 'term user 60000'), 'done');
    assert.equal((await resident.exitRecord(started)).code, 4);
    assert.equal(resident.ctl(started, 'ping'), 'ended');
    assert.equal(resident.ctl(started, 'kill held'), 'ended');
    assert.deepEqual(marksOf(started), ['user']);
    spawnSync('touch', [go]);
    assert.equal((await resident.ended(started)).code, 4);
    assert.match(readFileSync(started.out, 'utf8'), /child is done/);
  });

  test('a request that finds the leader dead marks nothing, though its end was not noticed yet', async () => {
    await using resident = new Resident();
    const started = resident.start(['sleep', '60']);
    const { keeper, command } = await resident.pids(started);
    process.kill(keeper, 'SIGSTOP');
    await until('the keeper to be stopped', () => processOf(keeper)?.state === 'T');
    process.kill(command, 'SIGTERM');
    const socket = connect(join(started.folder, 'ctl'));
    let answer = '';
    socket.on('data', (bytes) => (answer += bytes.toString()));
    await new Promise<void>((resolve) => socket.write('kill user\n', () => resolve()));
    await until('the leader to be dead', () => processOf(command)?.state === 'Z');
    process.kill(keeper, 'SIGCONT');
    const record = await resident.ended(started);
    await until('the answer', () => answer !== '');
    assert.equal(answer, 'ended\n');
    assert.deepEqual([record.signal, record.marks], [15, []]);
    socket.destroy();
  });

  test('what is not understood is answered with why', async () => {
    await using resident = new Resident();
    const started = resident.start(['sleep', '60']);
    await resident.pids(started);
    for (const line of [
      '',
      'stop',
      'term',
      'term user',
      'term user soon',
      'term timer 10',
      'kill',
      'kill me',
      'x'.repeat(5000),
    ]) {
      assert.match(resident.ctl(started, line), /^error ./, line.slice(0, 20));
    }
    assert.equal(existsSync(join(started.folder, 'marks')), false);
    resident.ctl(started, 'kill none');
    await resident.ended(started);
  });

  test('clients that say nothing do not keep the keeper from others, nor from its end', async () => {
    await using resident = new Resident();
    const started = resident.start(['sleep', '60']);
    await resident.pids(started);
    const silent = Array.from({ length: 20 }, () => connect(join(started.folder, 'ctl')));
    const said = silent.map(
      (socket) => new Promise((resolve) => socket.on('error', resolve).write('pi', () => resolve(null))),
    );
    await Promise.all(said);
    assert.equal(resident.ctl(started, 'kill none'), 'done');
    await resident.ended(started);
    await until('the silent ones to be hung up on', () =>
      silent.every((socket) => socket.destroyed || socket.resume().readableEnded),
    );
  });

  test('with no keeper the exit status is 1', async () => {
    await using resident = new Resident();
    const started = resident.start(['true']);
    await resident.ended(started);
    assert.equal(spawnSync(keepBinary(), ['ctl', started.folder, 'ping']).status, 1);
    assert.equal(spawnSync(keepBinary(), ['ctl', '/nonexistent', 'ping']).status, 1);
  });

  test('bytes that are no text are told as U+FFFD', async () => {
    await using resident = new Resident();
    const started = resident.start(['sleep', '60']);
    await resident.pids(started);
    const socket = connect(join(started.folder, 'ctl'));
    socket.write(Buffer.from([...Buffer.from('kill user a'), 0xff, 0x1b, 0xed, 0xa0, 0x80, ...Buffer.from('é\n')]));
    const record = await resident.ended(started);
    assert.equal(record.marks[0]?.text, 'a\ufffd\u001b\ufffd\ufffd\ufffdé');
    socket.destroy();
  });
});
