import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { until } from '../../../e2e/support/until.ts';
import { cgroupOf, daemonOf, finishedRun, isThere, runningRun, systemctl, unitOf } from '../support/daemon.ts';
import { Session } from '../support/session.ts';

const eat = '/orca/test/vm/eat';
const state = '/home/guest/.local/state/orca';

/** The report's line on cgroups, and the advice below it. */
const cgroupLines = (report: string): string[] => {
  const lines = report.split('\n');
  const at = lines.findIndex((line) => line.includes(' cgroups '));
  return lines.slice(at, at + 2);
};

describe('a user who does not linger', () => {
  let session: Session;
  let go = '';

  test("has a systemd that ends at logout, with all its services: that is why orca's daemon is none of them", async () => {
    const first = new Session('guest');
    await first.says('systemd-run --user --quiet --unit=probe sleep 600');
    const pid = Number(systemctl(1000, 'show', 'probe', '--property=MainPID', '--value'));
    assert.ok(isThere(pid));
    await first.logOut();
    await until(() => (isThere(pid) ? null : true), 'the service has ended');
    await until(() => (existsSync('/run/user/1000') ? null : true), "the user's systemd has ended");
    session = new Session('guest');
    go = `${session.folder}/go`;
  });

  test('has an ordinary daemon in the session, without cgroups, and doctor says the one command', async () => {
    const ahead = cgroupLines(await session.says('orca doctor'));
    await session.says(`orca submit -- ${eat} wait ${go}`);
    const daemon = await daemonOf(state);
    assert.match(cgroupOf(daemon.pid), /^\/user\.slice\/user-1000\.slice\/session-\w+\.scope$/);
    const scope = `/sys/fs/cgroup${cgroupOf(daemon.pid)}`;
    const told = [
      `warn   cgroups   limits are watched by sampling: the cgroup ${scope} is not delegated to this user (${scope} may not be written),` +
        ' and a service of this user would end at logout, with its runs: the user does not linger',
      `${' '.repeat(17)}→ loginctl enable-linger && orca restart`,
    ];
    assert.deepEqual(ahead, told);
    assert.deepEqual(cgroupLines(await session.says('orca doctor')), told);
  });

  test('logs out: logind closes the session, the daemon and the run live on', async () => {
    const { pid } = await daemonOf(state);
    const run = await runningRun(state, 1);
    const id = (await session.says('echo $XDG_SESSION_ID')).trim();
    const stateOf = (): string =>
      spawnSync('loginctl', ['show-session', id, '--property=State', '--value'], { encoding: 'utf8' }).stdout.trim();
    await session.logOut();
    await until(() => (stateOf() === 'closing' ? true : null), 'the session is closing');
    assert.equal((await daemonOf(state)).pid, pid);
    assert.ok(isThere(run.starts[0]?.pid));
  });

  test('lingers from now on: restart moves the daemon into a service, and the run that is live is kept', async () => {
    const before = await daemonOf(state);
    spawnSync('loginctl', ['enable-linger', 'guest']);
    session = new Session('guest');
    await session.says('orca restart');
    const daemon = await daemonOf(state);
    assert.notEqual(daemon.pid, before.pid);
    unitOf(daemon);
    assert.equal(daemon.containment.on, true);
    writeFileSync(go, '');
    assert.equal((await finishedRun(state, 1)).state, 'succeeded');
  });

  /** Has a daemon started with another program in place of `systemd-run`; what doctor says of cgroups then. */
  const withSystemdRun = async (name: string, script: string): Promise<string> => {
    await session.says(`orca down; mkdir ${session.folder}/${name}`);
    writeFileSync(`${session.folder}/${name}/systemd-run`, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    await session.says(`PATH=${session.folder}/${name}:$PATH orca up`);
    return cgroupLines(await session.says('orca doctor')).join('\n');
  };

  test('has an ordinary daemon where systemd refuses, and doctor says with what words', async () => {
    const told = await withSystemdRun('refuses', "echo 'Failed to connect to bus: no way' >&2; exit 1");
    assert.match(told, /systemd did not start orca as a service \(Failed to connect to bus: no way\)/);
  });

  test('has an ordinary daemon where services are gone as soon as they began', async () => {
    assert.match(await withSystemdRun('forgets', 'exit 0'), /\(its services ended without a word\)/);
    await session.says('orca down');
    await session.logOut();
  });
});
