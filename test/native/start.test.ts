import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { nativeFolder, withoutKeeper } from './support/binary.ts';
import { commandOf, isAlive, processOf } from './support/processes.ts';
import { Resident } from './support/resident.ts';
import { until } from './support/until.ts';

describe('one start', { skip: withoutKeeper() }, () => {
  test('begun, pid and exit are written, and ctl is gone in the end', async () => {
    await using resident = new Resident();
    const started = resident.sh('exit 3');
    const record = await resident.ended(started);
    assert.equal(record.how, 'exited');
    assert.equal(record.code, 3);
    assert.equal(record.signal, null);
    assert.equal(record['protocol'], 1);
    assert.equal(record['keeper'], 'native');
    assert.equal(record['cgroup'], null);
    assert.equal(record['shared'], null);
    assert.equal(readFileSync(join(started.folder, 'begun'), 'utf8'), 'begun\n');
    assert.deepEqual(JSON.parse(readFileSync(join(started.folder, 'exit'), 'utf8')), record);
    assert.equal(existsSync(join(started.folder, 'ctl')), false);
    const pid = JSON.parse(readFileSync(join(started.folder, 'pid'), 'utf8')) as { boot: string; uuid: string };
    assert.equal(pid.uuid, started.uuid);
    assert.equal(pid.boot, readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
    assert.equal(record['boot'], pid.boot);
  });

  test('drafts that are in its folder are taken as room, and nothing of them gets into its records', async () => {
    await using resident = new Resident();
    const { started, pairs } = resident.prepare(['sh', '-c', 'exit 3']);
    const { folder } = started;
    for (const draft of ['pid.tmp', 'marks.tmp', 'exit.tmp']) writeFileSync(join(folder, draft), 'x'.repeat(20_000));
    resident.send('start', pairs);
    const record = await resident.ended(started);
    assert.equal(record.code, 3);
    assert.deepEqual(JSON.parse(readFileSync(join(folder, 'exit'), 'utf8')), record);
    const pid = JSON.parse(readFileSync(join(folder, 'pid'), 'utf8')) as { uuid: string };
    assert.equal(pid.uuid, started.uuid);
    assert.deepEqual(readdirSync(folder).sort(), ['begun', 'exit', 'pid']);
  });

  test('running names the keeper and the command before ended comes', async () => {
    await using resident = new Resident();
    const started = resident.sh('echo up; exec sleep 30');
    const running = await resident.frame('running', started);
    const pids = await resident.pids(started);
    assert.deepEqual([running.get('keeper'), running.get('pid')], [String(pids.keeper), String(pids.command)]);
    assert.equal(processOf(pids.command)?.parent, pids.keeper);
    assert.equal(processOf(pids.keeper)?.parent, resident.pid);
    assert.equal(commandOf(pids.keeper), `orca-keep keeper ${started.run}.1`);
    assert.match(commandOf(resident.pid), /^orca-keep resident /);
    assert.equal(resident.ctl(started, 'kill none'), 'done');
    await resident.ended(started);
    assert.deepEqual(
      resident.frames.map((f) => f.verb),
      ['hello', 'running', 'ended'],
    );
  });

  test('an end by a signal is told with its number', async () => {
    await using resident = new Resident();
    const record = await resident.ended(resident.sh('kill -SEGV $$'));
    assert.deepEqual([record.how, record.code, record.signal], ['signalled', null, 11]);
  });

  test('peak, CPU and time are the leader’s, with the children it waited for', async () => {
    await using resident = new Resident();
    const record = await resident.ended(
      resident.sh(
        'dd if=/dev/zero of=/dev/null bs=64M count=1 2>/dev/null; i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done',
      ),
    );
    const number = (key: string): number => Number(record[key]);
    assert.ok(number('max_rss_bytes') > 60 << 20, `max_rss_bytes ${number('max_rss_bytes')}`);
    assert.ok(number('user_us') + number('system_us') > 1000);
    assert.ok(number('elapsed_us') >= 1000 && number('elapsed_us') < 20_000_000);
    assert.ok(number('ended_ms') >= number('started_ms'));
    assert.ok(Math.abs(number('ended_ms') - Date.now()) < 60_000);
  });

  test('a small program’s peak is its own, not that of who started it', async () => {
    await using resident = new Resident();
    const record = await resident.ended(resident.start(['true']));
    assert.ok(Number(record['max_rss_bytes']) < 16 << 20, `max_rss_bytes ${String(record['max_rss_bytes'])}`);
  });

  test('logs are 0600 and appended to', async () => {
    await using resident = new Resident();
    const first = resident.sh('echo one; echo oops >&2');
    await resident.ended(first);
    const second = resident.sh('echo two', { keys: [['stdout', first.out]] });
    await resident.ended(second);
    assert.equal(readFileSync(first.out, 'utf8'), 'one\ntwo\n');
    assert.equal(readFileSync(first.err, 'utf8'), 'oops\n');
    assert.equal(statSync(first.out).mode & 0o777, 0o600);
    for (const name of ['begun', 'pid', 'exit']) assert.equal(statSync(join(first.folder, name)).mode & 0o777, 0o600);
  });

  test('standard input is the file that was named', async () => {
    await using resident = new Resident();
    const path = join(resident.dir, 'input');
    writeFileSync(path, 'from a file');
    const started = resident.start(['cat'], { keys: [['stdin', path]] });
    await resident.ended(started);
    assert.equal(readFileSync(started.out, 'utf8'), 'from a file');
  });

  test('the environment is the request’s and nothing else, and PATH of the run finds the program', async () => {
    await using resident = new Resident();
    const bin = join(resident.dir, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'only-here'), '#!/bin/sh\n/usr/bin/env\n');
    chmodSync(join(bin, 'only-here'), 0o755);
    const started = resident.start(['only-here'], {
      keys: [
        ['env', `PATH=${bin}`],
        ['env', 'A=1'],
      ],
    });
    await resident.ended(started);
    const lines = readFileSync(started.out, 'utf8').trim().split('\n');
    assert.deepEqual(lines.filter((line) => !/^(PWD|SHLVL|_|OLDPWD)=/.test(line)).toSorted(), ['A=1', `PATH=${bin}`]);
  });

  test('oom_score_adj, nice, umask and limits are set before the command’s first instruction, for its children too', async () => {
    await using resident = new Resident();
    const script = 'sh -c "cat /proc/self/oom_score_adj; nice; umask; ulimit -n; ulimit -Hn; ulimit -c"';
    const started = resident.sh(script, {
      keys: [
        ['oom_score_adj', '1000'],
        ['nice', '10'],
        ['umask', '027'],
        ['rlimit', 'nofile 123 234'],
        ['rlimit', 'core 0 unlimited'],
      ],
    });
    await resident.ended(started);
    assert.deepEqual(readFileSync(started.out, 'utf8').trim().split('\n'), ['1000', '10', '0027', '123', '234', '0']);
  });

  test('no signal is ignored or blocked in the command, and no descriptor besides 0, 1 and 2 is open', async () => {
    await using resident = new Resident();
    const started = resident.start(['sh', '-c', 'grep -E "^Sig(Blk|Ign)" /proc/self/status; ls /proc/$$/fd']);
    await resident.ended(started);
    const [blocked, ignored, ...descriptors] = readFileSync(started.out, 'utf8').trim().split('\n');
    assert.match(blocked ?? '', /^SigBlk:\s+0+$/);
    assert.match(ignored ?? '', /^SigIgn:\s+0+$/);
    assert.deepEqual(descriptors, ['0', '1', '2']);
  });

  test('the command is the leader of a session of its own', async () => {
    await using resident = new Resident();
    const started = resident.start(['sh', '-c', 'cut -d" " -f1,5,6 /proc/$$/stat']);
    await resident.ended(started);
    const [pid, group, session] = readFileSync(started.out, 'utf8').trim().split(' ');
    assert.deepEqual([group, session], [pid, pid]);
  });

  for (const [what, argv, keys, stage, errno] of [
    ['a program that is not there', ['no-such-program'], [], 'exec', 2],
    ['a program that is not executable', ['/etc/passwd'], [], 'exec', 13],
    ['a folder as the program', ['/etc'], [], 'exec', 13],
    ['an empty program name', [''], [], 'exec', 2],
    ['a working folder that is not there', ['true'], [['cwd', '/nonexistent/folder']], 'cwd', 2],
    ['an input that is not there', ['true'], [['stdin', '/nonexistent']], 'stdin', 2],
    ['an output in a folder that is not there', ['true'], [['stdout', '/nonexistent/out']], 'stdout', 2],
    ['an error output that is a folder', ['true'], [['stderr', '/tmp']], 'stderr', 21],
    ['a cgroup that is not there', ['true'], [['cgroup', '/nonexistent/cgroup']], 'cgroup', 2],
    ['a soft limit above the hard one', ['true'], [['rlimit', 'nofile 20 10']], 'limits', 22],
  ] as const) {
    test(`${what}: not started, stage ${stage}, errno ${errno}`, async () => {
      await using resident = new Resident();
      const started = resident.start(argv, { keys });
      const record = await resident.ended(started);
      assert.equal(record.how, 'not-started');
      assert.deepEqual([record.failed?.stage, record.failed?.errno], [stage, errno]);
      assert.ok(record.failed?.message);
      assert.equal(record['max_rss_bytes'], null);
      assert.equal(
        resident.frames.some((f) => f.verb === 'running'),
        false,
      );
      assert.equal(existsSync(join(started.folder, 'ctl')), false);
    });
  }

  test('a start folder that is gone is refused', async () => {
    await using resident = new Resident();
    const { started, pairs } = resident.prepare(['true']);
    rmSync(started.folder, { recursive: true });
    resident.send('start', pairs);
    const refused = await resident.frame('refused', started);
    assert.deepEqual([refused.get('stage'), refused.get('errno')], ['folder', '2']);
  });

  for (const content of ['void\n', 'begun\n', '']) {
    test(`with begun there already (${JSON.stringify(content)}) nothing is started`, async () => {
      await using resident = new Resident();
      const { started, pairs } = resident.prepare(['sh', '-c', 'echo ran']);
      writeFileSync(join(started.folder, 'begun'), content);
      resident.send('start', pairs);
      await resident.frame('void', started);
      assert.equal(existsSync(started.out), false);
      assert.equal(existsSync(join(started.folder, 'exit')), false);
      assert.equal(readFileSync(join(started.folder, 'begun'), 'utf8'), content);
    });
  }

  test('a state folder deeper than a socket’s path may be works', async () => {
    await using resident = new Resident();
    const folder = join(resident.dir, ...Array.from({ length: 12 }, () => 'a-rather-long-name'), '1.1');
    mkdirSync(folder, { recursive: true });
    const started = { ...resident.start(['sleep', '30'], { keys: [['folder', folder]] }), folder };
    const { command } = await resident.pids(started);
    assert.equal(resident.ctl(started, 'ping'), `alive ${command}`);
    assert.equal(resident.ctl(started, 'kill user'), 'done');
    await resident.ended(started);
  });

  test('a FIFO without a writer as input blocks the command only: it can still be stopped', async () => {
    await using resident = new Resident();
    const fifo = join(resident.dir, 'fifo');
    const made = resident.start(['mkfifo', fifo]);
    await resident.ended(made);
    const started = resident.start(['cat'], { keys: [['stdin', fifo]] });
    const { command } = await resident.pids(started);
    await until('the child to wait for the FIFO', () => processOf(command)?.state === 'S');
    assert.equal(resident.ctl(started, 'term user 5000'), 'done');
    assert.deepEqual((await resident.ended(started)).signal, 15);
  });

  test('a record that cannot be written is tried again until it can', async () => {
    await using resident = new Resident();
    const { started, pairs } = resident.prepare(['sh', '-c', 'exit 4']);
    mkdirSync(join(started.folder, 'exit')); // a rename onto a folder fails, as one on a full disk would
    resident.send('start', pairs);
    const { command } = await resident.pids(started);
    await resident.processGone(command);
    assert.equal(
      resident.frames.some((f) => f.verb === 'ended'),
      false,
    );
    rmSync(join(started.folder, 'exit'), { recursive: true });
    assert.equal((await resident.ended(started)).code, 4);
  });

  test('a start folder that is taken away while the command runs ends in keeper-died, not in silence', async () => {
    await using resident = new Resident();
    const started = resident.start(['sleep', '60']);
    await resident.frame('running', started);
    const { command } = await resident.pids(started);
    rmSync(started.folder, { recursive: true });
    process.kill(command, 'SIGKILL');
    assert.equal((await resident.ended(started)).how, 'keeper-died');
  });

  test('without a compiler the build says one clear sentence', () => {
    const result = spawnSync('sh', [join(nativeFolder, 'build.sh'), '/nonexistent/out'], {
      env: { PATH: process.env['PATH'], CC: 'no-such-compiler' },
      encoding: 'utf8',
    });
    assert.equal(result.status, 1);
    assert.match(result.stderr, /no C compiler \(no-such-compiler\)/);
    assert.equal(result.stderr.trim().split('\n').length, 1);
  });

  test('orphans that end while the leader runs are reaped', async () => {
    await using resident = new Resident();
    const started = resident.sh('(sh -c "echo orphan \\$\\$" &) ; sleep 0.05; echo up; exec sleep 30');
    await resident.said(started, 'up');
    const orphan = Number(/orphan (\d+)/.exec(readFileSync(started.out, 'utf8'))?.[1]);
    await until('the orphan to be reaped', () => processOf(orphan) === null);
    assert.ok(isAlive((await resident.pids(started)).command));
    resident.ctl(started, 'kill none');
    await resident.ended(started);
  });
});
