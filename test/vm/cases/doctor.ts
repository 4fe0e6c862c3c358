import assert from 'node:assert/strict';
import { chownSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Cgroup } from '../support/cgroup.ts';
import { baseCgroup, eat } from '../support/place.ts';
import { Shell } from '../support/shell.ts';

const guest = 1000;
/** That runs are contained now: one dies by its own cgroup. */
const dies = async (shell: Shell): Promise<void> => {
  const { status, text } = await shell.run(`orca run --memory 24MB -- ${eat} fork 4 anon 64M`);
  assert.equal(status, 99, text);
  assert.match(text, /out of memory at 24 MB: the kernel killed it whole at its own limit/);
};

interface Said {
  readonly on: boolean;
  readonly why: string;
}

/** The daemon's words on cgroups, one for each of its lives. */
const saidInLog = (shell: Shell): Said[] =>
  readFileSync(join(shell.state, 'daemon.log'), 'utf8')
    .split('\n')
    .filter((line) => line.includes('"cgroups of the runs"'))
    .map((line) => JSON.parse(line) as Said);

/** That the daemon of now makes cgroups, by its log: another `orca doctor` would cost seconds. */
const isOn = (shell: Shell, where: string): void => {
  const said = saidInLog(shell).at(-1);
  // What is advised gives no more than is needed.
  const why = said?.why.replace(' (without the io controller)', '');
  assert.deepEqual([said?.on, why], [true, `runs have cgroups of their own in ${where}`]);
};

/** Types exactly what doctor advises. */
const follow = async (shell: Shell, help: string | null): Promise<void> => {
  const { status, text } = await shell.run(help ?? 'false');
  assert.equal(status, 0, text);
};

/** That the next daemon started from there would make cgroups. */
const willBeOn = async (shell: Shell, where: string): Promise<void> => {
  const { found, help } = await shell.doctor('cgroups');
  assert.deepEqual([found, help], [`runs will have cgroups of their own in ${where}`, null]);
};

describe('orca doctor where runs have no cgroups, and the command that it advises', { timeout: 300_000 }, () => {
  const atTop = { skip: baseCgroup === '/sys/fs/cgroup' ? false : 'the suite is not at the top of the machine' };
  test('an unprivileged user at the top of the machine', atTop, async (t) => {
    t.after(() => new Cgroup({}, baseCgroup, { name: 'orca-of-1000' })[Symbol.asyncDispose]());
    await using shell = new Shell({ uid: guest });
    // With a daemon that runs already, which is not where the shell will be.
    assert.equal((await shell.run(`orca run -- ${eat} say went`)).text, 'went\n');
    const { level, found, help } = await shell.doctor('cgroups');
    assert.equal(level, 'warn');
    assert.match(found, /limits are watched by sampling: the cgroup \/sys\/fs\/cgroup is not delegated to this user/);
    assert.equal(saidInLog(shell).length, 1);
    await follow(shell, help);
    isOn(shell, '/sys/fs/cgroup/orca-of-1000');
  });

  test('an unprivileged user in a cgroup that is not theirs', async () => {
    await using cgroup = new Cgroup();
    await using shell = new Shell({ uid: guest, cgroup, daemon: false });
    const { found, help } = await shell.doctor('cgroups');
    assert.match(found, new RegExp(`${cgroup.path} is not delegated to this user`));
    await follow(shell, help);
    await willBeOn(shell, cgroup.path);
  });

  test('a read-only mount', async () => {
    await using cgroup = new Cgroup();
    await using shell = new Shell({ cgroup, around: ['/usr/bin/unshare', '--mount'] });
    assert.equal((await shell.run('mount -o remount,bind,ro /sys/fs/cgroup')).status, 0);
    const { found, help } = await shell.doctor('cgroups');
    assert.match(found, /cgroup v2 is mounted read-only at \/sys\/fs\/cgroup$/);
    assert.equal((await shell.run(`orca run -- ${eat} say went`)).text, 'went\n');
    assert.equal(saidInLog(shell).length, 1);
    await follow(shell, help);
    isOn(shell, cgroup.path);
  });

  test('a cgroup namespace that still has the mount from outside of it', async () => {
    await using cgroup = new Cgroup();
    await using shell = new Shell({ cgroup, around: ['/usr/bin/unshare', '--mount', '--cgroup'], daemon: false });
    const { found, help } = await shell.doctor('cgroups');
    assert.match(found, /does not show the cgroup that orca is in \(\/\)$/);
    await follow(shell, help);
    await willBeOn(shell, '/sys/fs/cgroup');
  });

  test('a cgroup that the memory controller was not given to', async () => {
    await using outer = new Cgroup();
    await using cgroup = new Cgroup({}, outer.path, { name: 'bare', memory: false });
    await using shell = new Shell({ cgroup, daemon: false });
    const { found, help } = await shell.doctor('cgroups');
    assert.match(found, /the memory controller is not given to .*\/bare \(cgroup.controllers: empty\)$/);
    await follow(shell, help);
    await willBeOn(shell, cgroup.path);
  });
});

describe('orca where everything is there', { timeout: 300_000 }, () => {
  test('an unprivileged user in a delegated subtree has cgroups without any step', async () => {
    await using cgroup = new Cgroup();
    for (const name of ['', 'cgroup.procs', 'cgroup.subtree_control']) chownSync(join(cgroup.path, name), guest, guest);
    await using shell = new Shell({ uid: guest, cgroup });
    await dies(shell);
    isOn(shell, cgroup.path);
  });
});
