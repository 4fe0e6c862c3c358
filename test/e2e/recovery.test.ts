import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { RunJson } from '../../src/wire/api.ts';
import { changeStore, crash } from './support/crash.ts';
import { Ledger } from './support/ledger.ts';
import { Orca } from './support/orca.ts';
import { alive, killHard, untilGone } from './support/processes.ts';
import { until } from './support/until.ts';
import { untilWaiting } from './support/waiting.ts';

const oneAtATime = { ORCA_CAPACITY_CPUS: '1', ORCA_RETRY_DELAY_SECONDS: '0.2' };

const untilAnotherDaemon = (orca: Orca, than: number | null): Promise<number> =>
  until(() => {
    const pid = orca.daemonPid();
    return pid !== null && pid !== than && alive(pid) ? pid : null;
  }, 'another daemon is in charge');

const onceEach = { begun: 1, ended: 1, doubled: 0 };
const counted = (ledger: Ledger, name: string): { begun: number; ended: number; doubled: number } => {
  const { begun, ended, doubled } = ledger.read(name);
  return { begun: begun.length, ended, doubled };
};

test('a wait on a queued run ends with its code though the daemon is killed', async (t) => {
  const orca = new Orca(t, oneAtATime);
  const ledger = new Ledger(orca.folder);
  await orca.submit('--', ...ledger.held('first'));
  const second = await orca.submit('--', ...ledger.held('second', 7));
  ledger.release('second');
  await ledger.begun('first');
  const wait = orca.start(['wait', String(second)]);
  await untilWaiting(orca, [wait]);
  await killHard(orca.daemonPid());
  ledger.release('first');
  assert.equal((await wait.ended).status, 7);
  assert.deepEqual(counted(ledger, 'first'), onceEach);
  assert.deepEqual(counted(ledger, 'second'), onceEach);
});

test('the queue goes on after the daemon was killed, with nobody waiting', async (t) => {
  const orca = new Orca(t, oneAtATime);
  const ledger = new Ledger(orca.folder);
  for (const name of ['first', 'second', 'third']) await orca.submit('--', ...ledger.held(name));
  ledger.release('second', 'third');
  await ledger.begun('first');
  await killHard(orca.daemonPid());
  ledger.release('first');
  await ledger.ended('third');
  assert.equal((await orca.run(['wait', '1', '2', '3'])).status, 0);
  for (const name of ['first', 'second', 'third']) assert.deepEqual(counted(ledger, name), onceEach);
});

test('a run between two starts gets its second one though the daemon is killed and nothing runs', async (t) => {
  const orca = new Orca(t, { ORCA_RETRY_DELAY_SECONDS: '2' });
  const ledger = new Ledger(orca.folder);
  ledger.release('failing');
  const run = await orca.submit('--retries', '1', '--', ...ledger.held('failing', 3));
  await orca.untilRun(
    run,
    ({ state, starts_count: starts }) => state === 'queued' && starts === 1,
    'between two starts',
  );
  await killHard(orca.daemonPid());
  await ledger.begun('failing', 2);
  assert.equal((await orca.run(['wait', String(run)])).status, 3);
  assert.deepEqual(counted(ledger, 'failing'), { begun: 2, ended: 2, doubled: 0 });
});

test('a back-off that an earlier daemon began is no longer than it was, though the clock was set back by an hour since', async (t) => {
  const orca = new Orca(t, { ORCA_RETRY_DELAY_SECONDS: '4' });
  const ledger = new Ledger(orca.folder);
  ledger.release('failing');
  const run = await orca.submit('--retries', '1', '--', ...ledger.held('failing', 3));
  const between = ({ state, starts_count: starts }: RunJson): boolean => state === 'queued' && starts === 1;
  await orca.untilRun(run, between, 'between two starts');
  await crash(orca);
  // As if these had been stored by a clock that was ahead.
  const ahead = 3_600_000;
  changeStore(
    orca,
    `update runs set not_before = not_before + ${ahead} where id = ${run}`,
    `update starts set ended_at = ended_at + ${ahead} where run = ${run}`,
  );
  await orca.run(['up']);
  // It would be an hour otherwise.
  await ledger.begun('failing', 2);
});

test('orca run gives the whole output once though the daemon is killed in the middle', async (t) => {
  const orca = new Orca(t);
  const script = 'seq 1 500; echo "$$" > pid; while [ ! -e go ]; do sleep 0.05; done; seq 501 1000; exit 5';
  const going = orca.start(['run', '--', 'sh', '-c', script]);
  await until(() => (existsSync(join(orca.folder, 'pid')) ? true : null), 'the command writes');
  await untilWaiting(orca, [going]);
  await killHard(orca.daemonPid());
  await orca.run(['status', '1']);
  await orca.run(['run', '--', 'touch', 'go']);
  const { status, stdout } = await going.ended;
  assert.equal(status, 5);
  assert.equal(stdout, Array.from({ length: 1000 }, (_, index) => `${index + 1}\n`).join(''));
});

test('a run whose keeper is killed is lost, and nothing of its tree is left by then', async (t) => {
  const orca = new Orca(t);
  const script = 'setsid sh -c "echo \\$\\$ > child; exec sleep 600" & echo $$ > leader; wait';
  const run = await orca.submit('--', 'sh', '-c', script);
  const [leader, child] = [await pidIn(orca, 'leader'), await pidIn(orca, 'child')];
  await killHard(orca.keeperPid(run));
  const { status, stderr } = await orca.run(['wait', String(run)]);
  assert.deepEqual([alive(leader), alive(child)], [false, false]);
  assert.equal(status, 121);
  assert.match(stderr, /its? keeper|the keeper/);
  const { state, evidence, starts_count: starts } = await orca.status(run);
  assert.deepEqual({ state, evidence, starts }, { state: 'lost', evidence: 'keeper-died', starts: 1 });
});

test('a lost start is tried again as often as retries allow, and never beside the first', async (t) => {
  const orca = new Orca(t, { ORCA_RETRY_DELAY_SECONDS: '0' });
  const ledger = new Ledger(orca.folder);
  const run = await orca.submit('--retries', '1', '--', ...ledger.held('again'));
  await ledger.begun('again');
  await killHard(orca.keeperPid(run, 1));
  await ledger.begun('again', 2);
  ledger.release('again');
  assert.equal((await orca.run(['wait', String(run)])).status, 0);
  assert.deepEqual(counted(ledger, 'again'), { begun: 2, ended: 1, doubled: 0 });
  const { starts } = await orca.status(run);
  assert.deepEqual(
    starts.map(({ verdict, evidence }) => ({ verdict, evidence })),
    [
      { verdict: 'lost', evidence: 'keeper-died' },
      { verdict: 'succeeded', evidence: null },
    ],
  );
});

test('daemon and keeper killed: the tree is ended, the run lost, and the wait ends', async (t) => {
  const orca = new Orca(t);
  const ledger = new Ledger(orca.folder);
  const run = await orca.submit('--', ...ledger.held('both'));
  const leader = await ledger.begun('both');
  const wait = orca.start(['wait', String(run)]);
  await untilWaiting(orca, [wait]);
  await killHard(orca.daemonPid(), orca.keeperPid(run));
  assert.equal((await wait.ended).status, 121);
  assert.equal(alive(leader), false);
  assert.equal((await orca.status(run)).state, 'lost');
  assert.deepEqual(counted(ledger, 'both'), { begun: 1, ended: 0, doubled: 0 });
});

test('daemon and keeper killed with nobody waiting: the run is tried again all the same', async (t) => {
  const orca = new Orca(t, { ORCA_RETRY_DELAY_SECONDS: '0' });
  const ledger = new Ledger(orca.folder);
  const run = await orca.submit('--retries', '1', '--', ...ledger.held('alone'));
  await ledger.begun('alone');
  const daemon = orca.daemonPid();
  await killHard(daemon, orca.keeperPid(run));
  await ledger.begun('alone', 2);
  assert.notEqual(orca.daemonPid(), daemon);
  ledger.release('alone');
  assert.equal((await orca.run(['wait', String(run)])).status, 0);
  assert.deepEqual(counted(ledger, 'alone'), { begun: 2, ended: 1, doubled: 0 });
});

test('a start whose end the daemon was told of and could not store is tried again, though nothing is left that runs', async (t) => {
  const orca = new Orca(t, { ORCA_RETRY_DELAY_SECONDS: '0' });
  const ledger = new Ledger(orca.folder);
  const run = await orca.submit('--retries', '1', '--', ...ledger.held('alone'));
  await orca.untilRun(run, ({ state }) => state === 'running', 'running');
  const daemon = orca.daemonPid() ?? assert.fail();
  process.kill(daemon, 'SIGSTOP');
  await killHard(orca.keeperPid(run));
  // The resident has ended the tree and told the daemon, which does not read it.
  await until(() => (existsSync(join(orca.state, 'starts', `${run}.1`, 'exit')) ? true : null), 'the start is over');
  await killHard(daemon);
  await ledger.begun('alone', 2);
  ledger.release('alone');
  assert.equal((await orca.run(['wait', String(run)])).status, 0);
});

test('the resident killed: runs go on, their ends are seen, and new ones start', async (t) => {
  const orca = new Orca(t);
  const ledger = new Ledger(orca.folder);
  const run = await orca.submit('--', ...ledger.held('kept', 4));
  await ledger.begun('kept');
  const wait = orca.start(['wait', String(run)]);
  await untilWaiting(orca, [wait]);
  await killHard(...orca.residents());
  assert.equal((await orca.run(['run', '--', 'sh', '-c', 'exit 6'])).status, 6);
  ledger.release('kept');
  assert.equal((await wait.ended).status, 4);
  assert.deepEqual(counted(ledger, 'kept'), onceEach);
  assert.equal(orca.residents().length, 1);
});

test('resident and keeper killed: the tree is ended and the run lost', async (t) => {
  const orca = new Orca(t);
  const ledger = new Ledger(orca.folder);
  const run = await orca.submit('--', ...ledger.held('orphan'));
  const leader = await ledger.begun('orphan');
  await killHard(...orca.residents(), orca.keeperPid(run));
  assert.equal((await orca.run(['wait', String(run)])).status, 121);
  assert.equal(alive(leader), false);
});

test('resident and daemon killed: who waits brings the daemon back, and the run is started once', async (t) => {
  const orca = new Orca(t, oneAtATime);
  const ledger = new Ledger(orca.folder);
  const first = await orca.submit('--', ...ledger.held('first', 4));
  const second = await orca.submit('--', ...ledger.held('second', 5));
  await ledger.begun('first');
  const waits = [first, second].map((run) => orca.start(['wait', String(run)]));
  await untilWaiting(orca, waits);
  await killHard(...orca.residents(), orca.daemonPid());
  ledger.release('first', 'second');
  assert.deepEqual(await Promise.all(waits.map(async (wait) => (await wait.ended).status)), [4, 5]);
  assert.deepEqual(counted(ledger, 'first'), onceEach);
  assert.deepEqual(counted(ledger, 'second'), onceEach);
});

test('resident and daemon killed with nobody waiting: the end is kept, and the next command tells it', async (t) => {
  const orca = new Orca(t);
  const ledger = new Ledger(orca.folder);
  const run = await orca.submit('--', ...ledger.held('kept', 9));
  const leader = await ledger.begun('kept');
  await killHard(...orca.residents(), orca.daemonPid());
  ledger.release('kept');
  await untilGone(leader);
  const { state, exit_code: code } = await orca.untilRun(run, (found) => found.exit_status !== null, 'over');
  assert.deepEqual({ state, code }, { state: 'failed', code: 9 });
  assert.deepEqual(counted(ledger, 'kept'), onceEach);
});

test('resident, daemon and keeper killed: the next daemon ends the tree and says that the run is lost', async (t) => {
  const orca = new Orca(t, { ORCA_RETRY_DELAY_SECONDS: '0' });
  const ledger = new Ledger(orca.folder);
  const run = await orca.submit('--retries', '1', '--', ...ledger.held('all'));
  const leader = await ledger.begun('all');
  await killHard(...orca.residents(), orca.daemonPid(), orca.keeperPid(run));
  assert.equal(alive(leader), true);
  await orca.run(['status', String(run)]);
  await ledger.begun('all', 2);
  assert.equal(alive(leader), false);
  ledger.release('all');
  assert.equal((await orca.run(['wait', String(run)])).status, 0);
  assert.deepEqual(counted(ledger, 'all'), { begun: 2, ended: 1, doubled: 0 });
  assert.equal((await orca.status(run)).starts[0]?.verdict, 'lost');
});

test('a daemon that is asked to end by a signal comes back while there is work', async (t) => {
  const orca = new Orca(t, oneAtATime);
  const ledger = new Ledger(orca.folder);
  const [first, second] = [
    await orca.submit('--', ...ledger.held('first')),
    await orca.submit('--', ...ledger.held('second')),
  ];
  await ledger.begun('first');
  const before = orca.daemonPid();
  assert.ok(before !== null);
  process.kill(before, 'SIGTERM');
  await untilAnotherDaemon(orca, before);
  ledger.release('first', 'second');
  await ledger.ended('second');
  assert.equal((await orca.run(['wait', String(first), String(second)])).status, 0);
  for (const name of ['first', 'second']) assert.deepEqual(counted(ledger, name), onceEach);
});

test('a daemon that is asked to end by a signal stays away when there is no work', async (t) => {
  const orca = new Orca(t);
  await orca.run(['run', '--', 'true']);
  const [daemon, resident] = [orca.daemonPid(), ...orca.residents()];
  assert.ok(daemon !== null && resident !== undefined);
  process.kill(daemon, 'SIGTERM');
  await Promise.all([untilGone(resident, 'the resident'), untilGone(daemon, 'the daemon')]);
  assert.equal(orca.daemonPid(), daemon);
});

test('a wait that ends before its time limit has the code of its run', async (t) => {
  const orca = new Orca(t);
  const run = await orca.submit('--', 'sh', '-c', 'exit 3');
  assert.equal((await orca.run(['wait', '--timeout', '50s', String(run)])).status, 3);
});

test('a daemon that is killed again and again loses nothing', async (t) => {
  const orca = new Orca(t, oneAtATime);
  const ledger = new Ledger(orca.folder);
  const run = await orca.submit('--', ...ledger.held('steady', 2));
  await ledger.begun('steady');
  let daemon: number | null = null;
  for (let kills = 0; kills < 3; kills += 1) {
    daemon = await untilAnotherDaemon(orca, daemon);
    await killHard(daemon);
  }
  ledger.release('steady');
  assert.equal((await orca.run(['wait', String(run)])).status, 2);
  assert.deepEqual(counted(ledger, 'steady'), onceEach);
});

const pidIn = (orca: Orca, name: string): Promise<number> =>
  until(() => {
    const file = join(orca.folder, name);
    return (existsSync(file) && Number(readFileSync(file, 'utf8'))) || null;
  }, `${name} was begun`);
