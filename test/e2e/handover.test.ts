import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { DaemonJson } from '../../src/wire/api.ts';
import { changeStore, crash } from './support/crash.ts';
import { Ledger } from './support/ledger.ts';
import { Orca } from './support/orca.ts';
import { Package } from './support/package.ts';
import { alive, killHard, processesOf, untilGone } from './support/processes.ts';
import { until } from './support/until.ts';
import { untilWaiting } from './support/waiting.ts';

interface DaemonFile {
  readonly pid: number;
  readonly socket: string;
  readonly program: string;
}

const daemonFile = (orca: Orca): DaemonFile =>
  JSON.parse(readFileSync(join(orca.state, 'daemon.json'), 'utf8')) as DaemonFile;

const untilProgram = (orca: Orca, entry: string): Promise<DaemonFile> =>
  until(() => {
    const file = daemonFile(orca);
    return file.program === entry && alive(file.pid) ? file : null;
  }, `${entry} is the daemon`);

const untilNobody = (orca: Orca): Promise<true> =>
  until(
    () => (daemons(orca).length === 0 && orca.residents().length === 0 ? true : null),
    'daemon and resident are gone',
  );
const daemons = (orca: Orca): number[] => processesOf(' daemon', `ORCA_HOME=${orca.state}`);

const wait = (orca: Orca, run: number): Promise<number | null> =>
  orca.run(['wait', String(run)]).then(({ status }) => status);

/** An orca with two builds of one version, the second made later. */
const twoBuilds = (t: TestContext): { orca: Orca; builds: Package; older: string; newer: string; ledger: Ledger } => {
  const orca = new Orca(t, { ORCA_CAPACITY_CPUS: '1' });
  const builds = new Package(join(orca.folder, 'package'));
  const older = builds.build('1111111111111111', { version: '0.1.0', built_at: 1000 });
  const newer = builds.build('2222222222222222', { version: '0.1.0', built_at: 2000 });
  return { orca, builds, older, newer, ledger: new Ledger(orca.folder) };
};

const submitWith = async (orca: Orca, program: string, command: readonly string[]): Promise<number> => {
  const { status, stdout, stderr } = await orca.run(['submit', '--', ...command], { program });
  assert.equal(status, 0, stderr);
  return Number(stdout);
};

test('a newer client makes the running daemon hand over in the middle of runs', async (t) => {
  const { orca, older, newer, ledger } = twoBuilds(t);
  const first = await submitWith(orca, older, ledger.held('first', 3));
  const second = await submitWith(orca, older, ledger.held('second', 4));
  await ledger.begun('first');
  const before = await untilProgram(orca, older);
  const [resident] = orca.residents();
  const waits = [first, second].map((run) => orca.start(['wait', String(run)], { program: older }));
  await untilWaiting(orca, waits, { program: older });
  assert.equal((await orca.run(['status', String(first)], { program: newer })).status, 0);
  const after = await untilProgram(orca, newer);
  assert.notEqual(after.pid, before.pid);
  assert.deepEqual(orca.residents(), [resident]);
  ledger.release('first', 'second');
  assert.deepEqual(await Promise.all(waits.map(async ({ ended }) => (await ended).status)), [3, 4]);
  for (const name of ['first', 'second']) assert.equal(ledger.read(name).begun.length, 1);
});

test('an older client works with a newer daemon, which stays', async (t) => {
  const { orca, older, newer } = twoBuilds(t);
  await submitWith(orca, newer, ['true']);
  const before = await untilProgram(orca, newer);
  const { status, stdout } = await orca.run(['run', '--', 'sh', '-c', 'echo old; exit 5'], { program: older });
  assert.deepEqual([status, stdout], [5, 'old\n']);
  assert.equal((await orca.run(['list', '--all'], { program: older })).status, 0);
  assert.deepEqual(daemonFile(orca), before);
  assert.equal(alive(before.pid), true);
});

test('a daemon whose program was replaced hands over, whoever asks', async (t) => {
  const { orca, builds, older, newer, ledger } = twoBuilds(t);
  builds.switchTo('1111111111111111');
  const run = await submitWith(orca, older, ledger.held('kept', 6));
  await ledger.begun('kept');
  await untilProgram(orca, older);
  builds.switchTo('2222222222222222');
  assert.equal((await orca.run(['status', String(run)], { program: older })).status, 0);
  await untilProgram(orca, newer);
  ledger.release('kept');
  assert.equal(await wait(orca, run), 6);
  assert.equal(ledger.read('kept').begun.length, 1);
});

test('a client of another API is refused with what to do', async (t) => {
  const orca = new Orca(t);
  await orca.run(['up']);
  const { socket: socketPath } = daemonFile(orca);
  const { status, body } = await new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    request({ socketPath, path: '/api/runs', headers: { 'orca-api': '999' } }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      answer.on('end', () => resolve({ status: answer.statusCode, body: text }));
    })
      .once('error', reject)
      .end();
  });
  assert.equal(status, 426);
  assert.match(body, /"code":"api-mismatch".*speaks API 999.*orca restart/);
});

test('a program that is too old for the store is refused clearly, and what runs is not touched', async (t) => {
  const orca = new Orca(t);
  const ledger = new Ledger(orca.folder);
  const run = await orca.submit('--', ...ledger.held('kept', 8));
  await ledger.begun('kept');
  await crash(orca);
  changeStore(orca, `insert into migrations (number, name, breaking) values (9999, 'of a later program', 1)`);
  const { status, stdout, stderr } = await orca.run(['submit', '--', 'true']);
  assert.deepEqual([status, stdout], [120, '']);
  assert.match(stderr, /A newer orca changed this store: it needs schema 9999.*\n?.*ORCA_HOME/s);
  assert.equal(alive(ledger.read('kept').begun[0] ?? 0), true);
  // A change that an older program need not understand is none of its business.
  changeStore(orca, 'update migrations set breaking = 0 where number = 9999');
  ledger.release('kept');
  assert.equal(await wait(orca, run), 8);
  assert.equal(ledger.read('kept').begun.length, 1);
});

test('orca restart puts another daemon in charge and leaves runs alone', async (t) => {
  const orca = new Orca(t);
  const ledger = new Ledger(orca.folder);
  const run = await orca.submit('--', ...ledger.held('kept', 2));
  await ledger.begun('kept');
  const before = daemonFile(orca);
  const { status, stdout } = await orca.run(['restart']);
  const after = daemonFile(orca);
  assert.equal(status, 0);
  assert.match(stdout, new RegExp(`pid ${after.pid}`));
  assert.notEqual(after.pid, before.pid);
  assert.equal(alive(before.pid), false);
  ledger.release('kept');
  assert.equal(await wait(orca, run), 2);
  assert.equal(ledger.read('kept').begun.length, 1);
});

test('orca restart while orca is down leaves the next daemon in charge, and starts no other beside it', async (t) => {
  const orca = new Orca(t);
  await orca.run(['up']);
  await orca.run(['down']);
  const { status, stdout } = await orca.run(['restart', '--json']);
  const next = JSON.parse(stdout) as DaemonJson;
  assert.deepEqual([status, next.down], [0, true]);
  const daemons = readFileSync(join(orca.state, 'daemon.log'), 'utf8').match(/"msg":"serving"/g);
  assert.equal(daemons?.length, 3, 'that of up, that which was told to hand over, and the next one');
});

test('orca up says which of its settings a daemon that is there already does not go by', async (t) => {
  const orca = new Orca(t);
  await orca.run(['up']);
  const { status, stderr } = await orca.run(['up'], { env: { ORCA_CAPACITY_CPUS: '1' } });
  assert.equal(status, 0);
  assert.match(stderr, /ORCA_CAPACITY_CPUS/);
});

test('down leaves running runs to their keepers and starts nothing until up', async (t) => {
  const orca = new Orca(t, { ORCA_CAPACITY_CPUS: '1' });
  const ledger = new Ledger(orca.folder);
  ledger.release('second', 'third');
  const first = await orca.submit('--', ...ledger.held('first', 3));
  const second = await orca.submit('--', ...ledger.held('second', 4));
  const leader = await ledger.begun('first');
  const { status, stdout } = await orca.run(['down']);
  assert.equal(status, 0);
  assert.match(stdout, /1 running run goes on under its keeper; 1 queued/);
  await until(() => (daemons(orca).length === 0 ? true : null), 'the daemon has left');
  assert.equal(alive(leader), true);
  ledger.release('first');
  await untilNobody(orca);
  const third = await orca.submit('--', ...ledger.held('third', 5));
  assert.equal((await orca.status(third)).state, 'queued');
  assert.match((await orca.status(second)).reason ?? '', /orca up/);
  assert.equal((await orca.status(first)).exit_code, 3);
  assert.deepEqual(ledger.read('second').begun, []);
  await orca.run(['up']);
  assert.deepEqual([await wait(orca, second), await wait(orca, third)], [4, 5]);
});

test('down --drain waits for the running runs and starts none of the queued ones', async (t) => {
  const orca = new Orca(t, { ORCA_CAPACITY_CPUS: '1' });
  const ledger = new Ledger(orca.folder);
  ledger.release('second');
  await orca.submit('--', ...ledger.held('first'));
  await orca.submit('--', ...ledger.held('second'));
  await ledger.begun('first');
  const down = orca.start(['down', '--drain']);
  await until(async () => ((await orca.daemon()).down ? true : null), 'the daemon is down');
  assert.equal(down.child.exitCode, null);
  ledger.release('first');
  assert.equal((await down.ended).status, 0);
  assert.deepEqual([ledger.read('first').ended, ledger.read('second').begun.length], [1, 0]);
  await untilNobody(orca);
});

test('an interrupt of down --drain says that orca stays down, which it does; a start that another follows has not ended its run', async (t) => {
  const orca = new Orca(t, { ORCA_RETRY_DELAY_SECONDS: '600' });
  const hold = ['sh', '-c', 'until [ -e go ]; do sleep 0.05; done; exit 3'];
  const run = await orca.submit('--retries', '1', '--', ...hold);
  await orca.untilRun(run, ({ state }) => state === 'running', 'running');
  const first = orca.start(['down', '--drain']);
  await until(async () => ((await orca.daemon()).down ? true : null), 'the daemon is down');
  first.child.kill('SIGINT');
  const { status, stderr } = await first.ended;
  assert.equal(status, 130);
  assert.match(stderr, /no longer waiting; orca stays down, .*`orca down --drain` waits again, `orca up` ends it/);
  const second = orca.start(['down', '--drain']);
  await new Promise((resolve) => second.child.stderr?.once('data', resolve));
  writeFileSync(join(orca.folder, 'go'), '');
  const { stdout } = await second.ended;
  assert.match(stdout, /^nothing runs any more; the daemon has left; what is queued waits for `orca up`; /);
  await untilNobody(orca);
});

test('a daemon that was to leave once all is drained stays for `orca up`, and what waits is started by it', async (t) => {
  const orca = new Orca(t, { ORCA_CAPACITY_CPUS: '1' });
  const ledger = new Ledger(orca.folder);
  await orca.submit('--', ...ledger.held('first'));
  await ledger.begun('first');
  const down = orca.start(['down', '--drain']);
  await until(async () => ((await orca.daemon()).down ? true : null), 'the daemon is down');
  await orca.run(['up']);
  const { status, stderr } = await down.ended;
  assert.equal(status, 122);
  assert.match(stderr, /orca is not down any more: `orca up` came meanwhile/);
  const { pid } = await orca.daemon();
  // Between the two nothing goes on.
  const delay = { env: { ORCA_RETRY_DELAY_SECONDS: '1' } };
  const failing = await orca.run(['submit', '--retries', '1', '--', 'false'], delay);
  ledger.release('first');
  assert.equal(await wait(orca, Number(failing.stdout)), 1);
  assert.equal((await orca.status(Number(failing.stdout))).starts_count, 2);
  assert.equal((await orca.daemon()).pid, pid);
});

test('a daemon that a resident brings back after down leaves again once nothing runs', async (t) => {
  const orca = new Orca(t);
  const ledger = new Ledger(orca.folder);
  await orca.submit('--', ...ledger.held('kept'));
  await ledger.begun('kept');
  const [resident] = orca.residents();
  assert.ok(resident !== undefined);
  // It hears of its daemon's death only when another one has come, been told to leave, and gone.
  process.kill(resident, 'SIGSTOP');
  await killHard(orca.daemonPid());
  await orca.run(['down']);
  const left = orca.daemonPid();
  process.kill(resident, 'SIGCONT');
  await until(() => (orca.daemonPid() === left ? null : true), 'the resident has brought one back');
  ledger.release('kept');
  await untilNobody(orca);
  assert.equal((await orca.status(1)).state, 'succeeded');
});

test('an idle daemon leaves nothing behind, and never leaves a run', async (t) => {
  const orca = new Orca(t, { ORCA_IDLE_SECONDS: '1' });
  const ledger = new Ledger(orca.folder);
  await orca.submit('--', ...ledger.timed('longer than that', 2.5));
  await ledger.begun('longer than that');
  const { pid, socket } = daemonFile(orca);
  await ledger.ended('longer than that');
  assert.equal(alive(pid), true);
  assert.equal(daemonFile(orca).pid, pid);
  await untilGone(pid, 'the idle daemon');
  await untilNobody(orca);
  assert.equal(existsSync(socket), false);
  assert.equal((await orca.status(1)).state, 'succeeded');
});

test('a daemon that is only brought up to read after down leaves soon by itself', async (t) => {
  const orca = new Orca(t);
  const waiting = await orca.submit('--', 'true');
  await orca.run(['wait', String(waiting)]);
  await orca.run(['down']);
  assert.equal((await orca.run(['wait', String(waiting)])).status, 0);
  const pid = orca.daemonPid() ?? 0;
  assert.equal(alive(pid), true);
  await until(() => (alive(pid) ? null : true), 'the daemon has left');
  assert.equal(orca.residents().length, 0);
});
