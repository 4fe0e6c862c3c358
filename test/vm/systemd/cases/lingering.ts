import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { until } from '../../../e2e/support/until.ts';
import {
  cgroupOf,
  daemonOf,
  finishedRun,
  isThere,
  nextDaemon,
  runningRun,
  systemctl,
  unitOf,
  unitsOf,
} from '../support/daemon.ts';
import { Session } from '../support/session.ts';

const eat = '/orca/test/vm/eat';
const home = '/home/lingerer';
const state = `${home}/.local/state/orca`;
const uid = 1001;

/** One line of a doctor's report, without the marks of its table. */
const lineOf = (report: string, what: string): string =>
  report.split('\n').find((line) => line.includes(` ${what} `)) ?? `no line on ${what} in ${report}`;

describe('a user who lingers', () => {
  let session: Session;
  let unit = '';
  let go = '';

  before(async () => {
    spawnSync('loginctl', ['enable-linger', 'lingerer']);
    session = new Session('lingerer');
    go = `${session.folder}/go`;
    // At once over its limit a run shall die, not be slowed down.
    await session.says('export ORCA_RUN_MEMORY_MARGIN=0');
  });

  test('is told by doctor, before a daemon runs, that systemd will start it as a service', async () => {
    assert.equal(
      lineOf(await session.says('orca doctor'), 'cgroups'),
      "ok     cgroups   runs will have cgroups of their own, in a service that this user's systemd starts for the daemon",
    );
  });

  test("has the daemon as a service of the own systemd, with the caller's environment, which systemd does not know", async () => {
    const logs = `${home}/odd %h $HOME 'x' "y"`;
    await session.says(`export SECRET='pass\nword' ORCA_LOGS="$HOME/odd %h \\$HOME 'x' \\"y\\""`);
    assert.equal(await session.says(`orca submit --memory 24MB -- ${eat} anon 8M wait ${go}`), '1\n');
    const daemon = await daemonOf(state);
    unit = unitOf(daemon);
    const base = `/user.slice/user-${uid}.slice/user@${uid}.service/app.slice/${unit}`;
    assert.equal(
      daemon.containment.why,
      `runs have cgroups of their own in /sys/fs/cgroup${base} (without the io controller)`,
    );
    const limit = readFileSync(`/sys/fs/cgroup${base}/memory.max`, 'utf8').trim();
    assert.equal(limit, String(daemon.containment.ceiling_bytes), daemon.containment.ceiling_why ?? '');
    const run = await runningRun(state, 1);
    assert.equal(cgroupOf(run.starts[0]?.pid ?? 0), `${base}/orca-run-1-1-${daemon.pid}`);
    assert.ok(existsSync(`${logs}/_command/1`), readdirSync(home).join());
    assert.doesNotMatch(systemctl(uid, 'show', unit), /pass|SECRET/);
    assert.deepEqual(
      readdirSync(state).filter((name) => name.startsWith('environment')),
      [],
    );
    assert.match(readFileSync(`${state}/daemon.log`, 'utf8'), /"serving"/);
  });

  test('loses one run to its own limit, which gets more; the unit, the daemon and the neighbour go on', async () => {
    const { pid } = await daemonOf(state);
    await session.says(`orca run --memory 24MB..96MB -- ${eat} anon 40M`);
    const run = await finishedRun(state, 2);
    assert.deepEqual(
      run.starts.map(({ verdict, evidence }) => [verdict, evidence]),
      [
        ['out-of-memory', 'own-cgroup'],
        ['out-of-memory', 'own-cgroup'],
        ['succeeded', null],
      ],
    );
    assert.equal((await daemonOf(state)).pid, pid);
    assert.ok(isThere((await runningRun(state, 1)).starts[0]?.pid));
    assert.equal(systemctl(uid, 'is-active', unit), 'active');
  });

  test('restarts the daemon while a run is live: in the same service, and the run is adopted', async () => {
    const before = await daemonOf(state);
    const run = await runningRun(state, 1);
    await session.says('orca restart');
    const daemon = await daemonOf(state);
    assert.notEqual(daemon.pid, before.pid);
    assert.equal(unitOf(daemon), unit);
    assert.equal(systemctl(uid, 'is-active', unit), 'active');
    assert.deepEqual((await runningRun(state, 1)).starts[0]?.pid, run.starts[0]?.pid);
    assert.match(
      lineOf(await session.says('orca doctor'), 'cgroups'),
      /^ok .* runs have cgroups of their own in .*orca-/,
    );
  });

  test('has a killed daemon back in the same service', async () => {
    const { pid } = await daemonOf(state);
    process.kill(pid, 'SIGKILL');
    assert.equal(unitOf(await nextDaemon(state, pid)), unit);
    assert.equal(systemctl(uid, 'is-active', unit), 'active');
  });

  test('logs out, and everything lives on; the run ends well', async () => {
    const { pid } = await daemonOf(state);
    await session.logOut();
    const sessions = (): string => spawnSync('loginctl', ['list-sessions', '--no-legend'], { encoding: 'utf8' }).stdout;
    await until(() => (sessions().includes('lingerer') ? null : true), 'logind has closed the session');
    assert.equal((await daemonOf(state)).pid, pid);
    writeFileSync(go, '');
    assert.equal((await finishedRun(state, 1)).state, 'succeeded');
  });

  test('calls it from cron, without the variables of a session: it leaves no unit behind, and comes back as a service', async () => {
    const cron = (...args: string[]) =>
      spawnSync(
        'setpriv',
        [
          '--reuid=1001',
          '--regid=1001',
          '--clear-groups',
          'env',
          '-i',
          `HOME=${home}`,
          'PATH=/usr/bin:/bin',
          '/usr/local/bin/node',
          '/orca/dist/current/main.js',
          ...args,
        ],
        { encoding: 'utf8' },
      );
    assert.equal(cron('down').status, 0);
    await until(() => (unitsOf(uid).length === 0 ? true : null), 'the unit is gone');
    // What systemd keeps of the ceiling is gone with it.
    const control = `/run/user/${uid}/systemd/user.control`;
    assert.deepEqual(existsSync(control) ? readdirSync(control) : [], []);
    const { status, stderr } = cron('up');
    assert.equal(status, 0, stderr);
    const daemon = await daemonOf(state);
    assert.notEqual(unitOf(daemon), unit);
    assert.equal(daemon.containment.on, true);
    process.kill(daemon.pid, 'SIGKILL');
  });
});
