import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { before, describe, test } from 'node:test';
import { until } from '../../../e2e/support/until.ts';
import { cgroupOf, daemonOf, finishedRun, runningRun, systemctl, unitOf, unitsOf } from '../support/daemon.ts';
import { Session } from '../support/session.ts';

const eat = '/orca/test/vm/eat';
const home = userInfo().homedir;
const state = `${home}/o %h $HOME 'q'`;

describe('root', () => {
  let session: Session;
  let unit = '';

  before(async () => {
    session = new Session('root');
    await session.says(`export ORCA_RUN_MEMORY_MARGIN=0 SECRET=password ORCA_HOME="$HOME/o %h \\$HOME 'q'"`);
  });

  test('has the daemon as a service of the system, whose environment other users cannot ask for', async () => {
    await session.says(`orca submit --memory 24MB -- ${eat} anon 8M wait ${session.folder}/go`);
    const daemon = await daemonOf(state);
    unit = unitOf(daemon);
    assert.equal(daemon.containment.why, `runs have cgroups of their own in /sys/fs/cgroup/system.slice/${unit}`);
    assert.equal(daemon.state, state);
    const asked = spawnSync('setpriv', ['--reuid=1000', '--regid=1000', '--clear-groups', 'systemctl', 'show', unit], {
      encoding: 'utf8',
    }).stdout;
    assert.match(asked, /Delegate=yes/);
    assert.match(asked, new RegExp(`MemoryMax=${daemon.containment.ceiling_bytes}\n`));
    assert.doesNotMatch(asked, /password|SECRET/);
  });

  test('loses one run to its own limit, restarts with a live run, and logs out: all of it goes on', async () => {
    const { status, stderr } = await session.run(`orca run --memory 24MB -- ${eat} anon 64M`);
    assert.equal(status, 99, stderr);
    assert.equal((await finishedRun(state, 2)).starts[0]?.evidence, 'own-cgroup');
    const { pid } = (await runningRun(state, 1)).starts[0] ?? {};
    await session.says('orca restart');
    assert.equal(unitOf(await daemonOf(state)), unit);
    assert.equal((await runningRun(state, 1)).starts[0]?.pid, pid);
    await session.logOut();
    writeFileSync(`${session.folder}/go`, '');
    assert.equal((await finishedRun(state, 1)).state, 'succeeded');
  });

  test('has no unit left after down', async () => {
    session = new Session('root');
    await session.says(`export ORCA_HOME="$HOME/o %h \\$HOME 'q'"; orca down`);
    await until(() => (unitsOf(0).length === 0 ? true : null), 'the unit is gone');
    // Nor what systemd kept of it.
    for (const folder of ['/run/systemd/system.control', '/run/systemd/transient'])
      assert.deepEqual(existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('orca-')) : [], []);
  });

  test('hears at once why a daemon could not start, and no unit stays', async () => {
    await session.says('mkdir -p ~/.config/orca');
    const { status, stderr } = await session.run(
      'ORCA_HOME=~/broken ORCA_STORE_URL=postgres://x@127.0.0.1:1/x orca up',
    );
    assert.equal(status, 120, stderr);
    assert.match(stderr, /127\.0\.0\.1/);
    await until(() => (unitsOf(0).length === 0 ? true : null), 'the unit is gone');
  });

  test('who runs `orca daemon` in a delegated unit of the own keeps it there', async () => {
    await session.says(
      'systemd-run --quiet --unit=mine -p Delegate=yes -p KillMode=process --setenv=ORCA_HOME=$HOME/mine orca daemon',
    );
    const daemon = await daemonOf(`${home}/mine`);
    assert.equal(cgroupOf(daemon.pid), '/system.slice/mine.service/orca');
    assert.equal(daemon.containment.why, 'runs have cgroups of their own in /sys/fs/cgroup/system.slice/mine.service');
    systemctl(0, 'stop', 'mine');
    await session.logOut();
  });
});
