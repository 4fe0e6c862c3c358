import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { isAlive, processOf } from './support/processes.ts';
import { ShStart } from './support/sh-start.ts';
import { until } from './support/until.ts';

/** Each shell of this machine that calls itself POSIX. */
const shells = [['/bin/sh'], ['bash', '--posix'], ['busybox', 'ash'], ['mksh']].filter(
  ([program = '', ...options]) => spawnSync(program, [...options, '-c', ':']).status === 0,
);

for (const shell of shells) {
  const name = shell.join(' ');
  describe(`the sh keeper under ${name}`, () => {
    test('writes begun, pid and exit, and tells the code', async () => {
      await using start = new ShStart(shell).start(
        ['sh', '-c', 'echo "$# $1"; echo "$ORCA_START"; exit 3', 'sh', 'a  "b" $c *'],
        {
          shared: '/proc/vmstat',
        },
      );
      const record = await start.ended();
      assert.deepEqual([record.how, record.code, record.signal, record['keeper']], ['exited', 3, null, 'sh']);
      assert.deepEqual([record['max_rss_bytes'], record.marks, record['cgroup']], [null, [], null]);
      assert.match(String((record['shared'] as Record<string, unknown>)['before']), /^oom_kill \d+\n$/);
      assert.ok(Math.abs(Number(record['ended_ms']) - Date.now()) < 60_000);
      assert.ok(Number(record['elapsed_us']) >= 0);
      assert.equal(readFileSync(start.out, 'utf8'), `1 a  "b" $c *\n${start.uuid}\n`);
      assert.equal(readFileSync(join(start.folder, 'begun'), 'utf8'), 'begun\n');
      for (const file of [start.out, join(start.folder, 'exit')]) assert.equal(statSync(file).mode & 0o777, 0o600);
      assert.equal(await start.status(), 0);
    });

    test('sets oom_score_adj, nice and umask; the command leads a session and its PATH is the run’s', async () => {
      const script = 'cat /proc/self/oom_score_adj; nice; umask; cut -d" " -f1,6 /proc/$$/stat; echo "$PATH"';
      const options = { oomScoreAdj: '1000', nice: '7', umask: '027', env: { PATH: '/usr/bin:/bin:/odd' } };
      await using start = new ShStart(shell).start(['sh', '-c', script], options);
      await start.ended();
      const [oom, nice, umask, ids = '', path] = readFileSync(start.out, 'utf8').trim().split('\n');
      assert.deepEqual([oom, nice, umask, path], ['1000', '7', '0027', '/usr/bin:/bin:/odd']);
      assert.equal(new Set(ids.split(' ')).size, 1);
    });

    for (const [what, argv, options, stage, errno] of [
      ['a program that is not there', ['no-such-program'], {}, 'exec', 2],
      ['a program that is not executable', ['/etc/passwd'], {}, 'exec', 13],
      ['an input that is not there', ['true'], { stdin: '/nonexistent' }, 'stdin', 2],
      ['an output in a folder that is not there', ['true'], { stdout: '/nonexistent/out' }, 'stdout', 2],
    ] as const) {
      test(`${what}: not started, stage ${stage}, errno ${errno}`, async () => {
        await using start = new ShStart(shell).start(argv, options);
        const record = await start.ended();
        assert.equal(record.how, 'not-started');
        assert.deepEqual([record.failed?.stage, record.failed?.errno], [stage, errno]);
      });
    }

    test('with begun there already nothing is started', async () => {
      const start = new ShStart(shell);
      writeFileSync(join(start.folder, 'begun'), 'void\n');
      await using _ = start.start(['sh', '-c', 'echo ran']);
      assert.equal(await start.status(), 10);
      assert.equal(existsSync(start.out), false);
    });

    test('the time limit asks, then kills after the grace, children that left the session too', async () => {
      await using start = new ShStart(shell).start(
        ['sh', '-c', "trap '' TERM; setsid sleep 60 & while :; do sleep 0.1; done"],
        {
          timeoutMs: 200,
          graceMs: 200,
        },
      );
      const record = await start.ended();
      assert.deepEqual([record.how, record.code], ['unknown', 137]);
      assert.equal(record.marks[0]?.mark, 'timer');
      assert.ok(Number(record['elapsed_us']) >= 390_000);
      assert.deepEqual(start.tree(), []);
    });

    test('the time limit asks first, and a command that listens ends as it likes', async () => {
      const script = "trap 'exit 7' TERM; while :; do sleep 0.02; done";
      await using start = new ShStart(shell).start(['sh', '-c', script], { timeoutMs: 100, graceMs: 60_000 });
      const record = await start.ended();
      assert.deepEqual([record.how, record.code, record.marks[0]?.mark], ['exited', 7, 'timer']);
    });

    test('ctl asks and marks; what is left after the leader’s end has the rest of the grace', async () => {
      const left = `trap '' TERM; echo child; while [ ! -e go ]; do sleep 0.02; done; echo child is done`;
      const script = 'sh -c "$LEFT" & trap "exit 5" TERM; while :; do sleep 0.02; done';
      await using start = new ShStart(shell).start(['sh', '-c', script], { env: { LEFT: left } });
      await start.said('child');
      const { command } = await start.pids();
      assert.equal(start.ctl('ping'), `alive ${command}`);
      for (const line of ['stop', 'term', 'term user', 'term user x', 'kill me'])
        assert.match(start.ctl(line), /^error ./);
      assert.equal(start.ctl('term user 60000 by "ada" \\ and'), 'done');
      await until('the exit record', () => existsSync(join(start.folder, 'exit')));
      // Several, so that a keeper that gave no grace would have had the time to kill.
      for (let i = 0; i < 5; i++) assert.equal(start.ctl('kill held'), 'ended');
      writeFileSync(join(start.dir, 'go'), '');
      const record = await start.ended();
      assert.deepEqual([record.how, record.code], ['exited', 5]);
      assert.deepEqual(
        record.marks.map((m) => [m.mark, m.text]),
        [['user', 'by "ada" \\ and']],
      );
      assert.match(readFileSync(start.out, 'utf8'), /child is done/);
      assert.equal(start.run('ctl', start.folder, 'ping').status, 1);
      assert.deepEqual(readdirSync(start.folder).toSorted(), ['begun', 'exit', 'marks', 'pid']);
    });

    test('kill ends the tree at once', async () => {
      await using start = new ShStart(shell).start([
        'sh',
        '-c',
        "trap '' TERM; setsid sleep 60 & echo up; while :; do sleep 0.1; done",
      ]);
      await start.said('up');
      assert.equal(start.ctl('term none 60000'), 'done');
      assert.equal(start.ctl('kill held at its limit'), 'done');
      const record = await start.ended();
      assert.deepEqual([record.code, record.marks.map((m) => m.mark)], [137, ['held']]);
      assert.deepEqual(start.tree(), []);
    });

    test('the leader’s end takes along what it left, with an empty environment too', async () => {
      const script =
        "setsid sleep 60 & env -i sh -c 'echo $$; exec sleep 60' & while [ ! -s out ]; do sleep 0.02; done; exit 0";
      await using start = new ShStart(shell).start(['sh', '-c', script]);
      assert.equal((await start.ended()).code, 0);
      assert.deepEqual(start.tree(), []);
      assert.equal(isAlive(Number(readFileSync(start.out, 'utf8'))), false);
    });

    test('after the keeper’s death kill ends the tree and records keeper-died; before it, it says 3', async () => {
      await using start = new ShStart(shell).start(['sh', '-c', 'setsid sleep 60 & echo up; sleep 60']);
      await start.said('up');
      const { keeper } = await start.pids();
      assert.equal(start.run('kill', start.folder, start.uuid).status, 3);
      process.kill(keeper, 'SIGKILL');
      await start.status();
      assert.equal(start.run('kill', start.folder, start.uuid).status, 0);
      assert.deepEqual(start.tree(), []);
      const record = JSON.parse(readFileSync(join(start.folder, 'exit'), 'utf8')) as { how: string };
      assert.equal(record.how, 'keeper-died');
      assert.equal(start.run('ctl', start.folder, 'ping').status, 1);
    });

    test('a stranger with the recorded pids is not signalled, nor taken for the keeper', async () => {
      await using start = new ShStart(shell);
      await using stranger = new ShStart(shell).start(['sleep', '60']);
      const { command } = await stranger.pids();
      const began = processOf(command)?.start ?? 0;
      const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
      const keeper = { pid: command, start: began + 2 };
      writeFileSync(join(start.folder, 'begun'), 'begun\n');
      const record = { boot, uuid: 'u', keeper, command: { pid: command, start: began + 1 }, at_ms: 1 };
      writeFileSync(join(start.folder, 'pid'), `${JSON.stringify(record)}\n`);
      assert.equal(start.run('kill', start.folder, start.uuid).status, 0);
      assert.equal(isAlive(command), true);
      stranger.ctl('kill none');
      await stranger.ended();
    });
  });
}

test('a program is looked for in the run’s PATH, not in the keeper’s own', async () => {
  await using start = new ShStart(['/bin/sh']);
  const bin = join(start.dir, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'only-here'), '#!/bin/sh\necho found\n');
  chmodSync(join(bin, 'only-here'), 0o755);
  symlinkSync('/bin/true', join(bin, 'other'));
  start.start(['only-here'], { env: { PATH: bin } });
  assert.equal((await start.ended()).code, 0);
  assert.equal(readFileSync(start.out, 'utf8'), 'found\n');
  await until('no process', () => start.tree().length === 0);
});
