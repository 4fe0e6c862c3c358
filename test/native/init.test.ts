import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { withoutKeeper } from './support/binary.ts';
import { Init, withoutNamespaces } from './support/init.ts';
import { commandOf, processOf } from './support/processes.ts';
import { until } from './support/until.ts';

const stays = 'while :; do sleep 0.05; done';

const pids = (): number[] => readdirSync('/proc').map(Number).filter(Number.isInteger);

const childrenOf = (parent: number): number[] => pids().filter((pid) => processOf(pid)?.parent === parent);

describe('a keeper that is the init of a container', { skip: withoutKeeper(), concurrency: 4 }, () => {
  test('starts its program as a daemon, and one that fails before it served is its end, with its status', async () => {
    await using init = new Init();
    init.begin('echo "descriptor $ORCA_KEEPER_FD"; [ -S /proc/self/fd/3 ] && exit 7');
    assert.equal(await init.status(), 7);
    assert.match(init.output, /^descriptor 3$/m);
    assert.equal(init.starts().length, 1);
  });

  test('tells a daemon that died by a signal as a shell does', async () => {
    await using init = new Init();
    init.begin('kill -SEGV $$');
    assert.equal(await init.status(), 139);
  });

  test('starts a daemon that had served and was killed again, though there is no work, and its output stays where it was', async () => {
    await using init = new Init();
    init.begin(`send program; ${stays}`);
    for (const nth of [1, 2]) {
      await until(`daemon ${nth}`, () => init.starts().length === nth);
      await until('its first line', () => init.output.match(/a line of daemon/g)?.length === nth);
      const [daemon] = childrenOf(init.pid);
      if (nth === 1 && daemon !== undefined) process.kill(daemon, 'SIGKILL');
    }
    assert.equal(init.text('daemon.log'), null);
    process.kill(init.pid, 'SIGTERM');
    assert.equal(await init.status(), 143);
  });

  test('starts one again, too, that had stayed for more than ten seconds, which makes good earlier failures', async () => {
    await using init = new Init();
    init.begin(`send program; sleep 10.5; [ "$(wc -l < "$DIR/starts")" = 1 ] && exit 4; exit 6`);
    await until('the second daemon', () => init.starts().length === 2, 30_000);
  });

  test('a daemon that finds another one in charge is its end before one has served, and later is not', async () => {
    await using early = new Init();
    early.begin('exit 3');
    assert.equal(await early.status(), 3);
    await using init = new Init();
    const first = '[ "$(wc -l < "$DIR/starts")" = 1 ] && { send program; exit 1; }';
    init.begin(`${first}; [ -e "$DIR/go" ] && { echo took over; ${stays}; }; exit 3`);
    await until('further tries', () => init.starts().length >= 3);
    writeFileSync(`${init.dir}/go`, '');
    await until('one that stays', () => init.output.includes('took over'), 30_000);
    process.kill(init.pid, 'SIGTERM');
    assert.equal(await init.status(), 143);
  });

  test('a hand-over is not its end: the next program runs, whose status it ends with', async () => {
    await using init = new Init();
    init.frame('handover', 'handover', init.program('next', `trap 'exit 5' TERM; echo trapped; ${stays}`));
    init.begin('send program; send handover; exit 0');
    await until('the next program', () => init.output.includes('trapped'));
    process.kill(init.pid, 'SIGTERM');
    assert.equal(await init.status(), 5);
  });

  test('after goodbye it ends with the daemon', async () => {
    await using init = new Init();
    init.frame('goodbye', 'goodbye', []);
    init.begin('send program; send goodbye; exit 0');
    assert.equal(await init.status(), 0);
    assert.equal(init.starts().length, 1);
  });

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    test(`${signal} reaches the daemon as SIGTERM, and it ends with that daemon, whatever still runs`, async () => {
      await using init = new Init();
      const { folder, pairs } = init.start('echo up; sleep 60');
      init.frame('start', 'start', pairs);
      init.begin(`trap 'echo asked; exit 0' TERM; send program; send start; ${stays}`);
      await until('the command', () => init.text('out') === 'up\n');
      process.kill(init.pid, signal);
      assert.equal(await init.status(), 0);
      assert.match(init.output, /^asked$/m);
      assert.equal(init.starts().length, 1);
      assert.ok(readdirSync(folder).includes('begun'));
    });
  }

  test('reaps what others leave behind', async () => {
    await using init = new Init();
    init.begin(`for i in 1 2 3 4 5; do (sleep 0.05 &); done; echo left; ${stays}`);
    await until('orphans', () => init.output.includes('left'));
    await until('one child, the daemon', () => childrenOf(init.pid).length === 1);
  });

  test('a keeper’s signals are what they are elsewhere: a plain SIGTERM ends it', async () => {
    await using init = new Init();
    const { folder, pairs } = init.start('sleep 60');
    init.frame('start', 'start', pairs);
    init.begin(`send program; send start; ${stays}`);
    const keeper = await until('the keeper', () => /"keeper":\{"pid":(\d+)/.exec(init.text('1.1/pid') ?? '')?.[1]);
    process.kill(Number(keeper), 'SIGTERM');
    await until('the record', () => init.text('1.1/exit')?.includes('keeper-died'));
    assert.ok(readdirSync(folder).includes('exit'));
  });
});

describe('a keeper that is pid 1', { skip: withoutKeeper() || withoutNamespaces() }, () => {
  test('ends the tree of a killed keeper, and no orphan of something that is no run', async () => {
    await using init = new Init();
    // Numbers that no other test has.
    const sleeps = ['1', '2', '3'].map((digit) => `sleep ${digit}${process.pid}`);
    const [leader, child, stranger] = sleeps;
    // The leader has lost its environment: only its record names it.
    init.frame('start', 'start', init.start(`(${child} &); exec env -i ${leader}`).pairs);
    const script = [
      `send program; (${stranger} &); send start; until [ -e "$DIR/1.1/pid" ]; do sleep 0.02; done; echo "pid 1 is $PPID"`,
      `until [ -e "$DIR/go" ]; do sleep 0.02; done; kill -9 "$(sed 's/.*keeper":{"pid":\\([0-9]*\\).*/\\1/' "$DIR/1.1/pid")"`,
      stays,
    ];
    init.begin(script.join('\n'), 'as pid 1');
    const going = (): string[] =>
      pids()
        .map(commandOf)
        .filter((command) => sleeps.includes(command))
        .toSorted();
    await until('all three', () => going().length === 3);
    writeFileSync(`${init.dir}/go`, '');
    await until('the record', () => init.text('1.1/exit')?.includes('keeper-died'));
    assert.match(init.output, /^pid 1 is 1$/m);
    assert.deepEqual(going(), [stranger]);
  });
});
