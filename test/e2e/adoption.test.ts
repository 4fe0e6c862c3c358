import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { changePids, changeStore, crash, startFile, writeRecord } from './support/crash.ts';
import { Ledger } from './support/ledger.ts';
import { Orca } from './support/orca.ts';
import { alive, killHard, startTime, untilGone } from './support/processes.ts';
import { until } from './support/until.ts';

const atOnce = { ORCA_RETRY_DELAY_SECONDS: '0' };

/** A process that is none of orca's, named as records name processes. It ends when it gets any signal. */
const stranger = (t: TestContext): { pid: number; start: number } => {
  const child = spawn('sleep', ['600'], { stdio: 'ignore', env: {} });
  t.after(() => child.kill('SIGKILL'));
  const pid = child.pid ?? 0;
  return { pid, start: startTime(pid) ?? 0 };
};

const wait = (orca: Orca, run: number): Promise<number | null> =>
  orca.run(['wait', String(run)]).then(({ status }) => status);

test('after a reboot an active run is lost for that reason, tried again, and nobody is signalled', async (t) => {
  const orca = new Orca(t, atOnce);
  const ledger = new Ledger(orca.folder);
  const run = await orca.submit('--retries', '1', '--', ...ledger.held('booted'));
  const once = await orca.submit('--', ...ledger.held('once'));
  const leaders = [await ledger.begun('booted'), await ledger.begun('once')];
  await killHard(...orca.residents(), orca.daemonPid(), orca.keeperPid(run), orca.keeperPid(once), ...leaders);
  const other = stranger(t);
  for (const id of [run, once]) changePids(orca, id, { boot: 'another-boot', keeper: other, command: other });
  assert.equal(await wait(orca, once), 121);
  await ledger.begun('booted', 2);
  ledger.release('booted');
  assert.equal(await wait(orca, run), 0);
  const { state, evidence, text } = await orca.status(once);
  assert.deepEqual({ state, evidence }, { state: 'lost', evidence: 'reboot' });
  assert.match(text ?? '', /the machine started again/);
  const { starts } = await orca.status(run);
  assert.deepEqual(
    starts.map(({ verdict, evidence: how }) => [verdict, how]),
    [
      ['lost', 'reboot'],
      ['succeeded', null],
    ],
  );
  assert.equal(alive(other.pid), true);
});

test('a stranger that has the pid of a keeper or a command is neither signalled nor taken for it', async (t) => {
  const orca = new Orca(t);
  const ledger = new Ledger(orca.folder);
  const run = await orca.submit('--', ...ledger.held('reused'));
  const leader = await ledger.begun('reused');
  await killHard(...orca.residents(), orca.daemonPid(), orca.keeperPid(run), leader);
  const other = stranger(t);
  const reused = { pid: other.pid, start: other.start - 1 };
  changePids(orca, run, { keeper: reused, command: reused });
  assert.equal(await wait(orca, run), 121);
  await orca.run(['kill', '--now', String(run)]);
  assert.equal((await orca.status(run)).evidence, 'keeper-died');
  assert.equal(alive(other.pid), true);
});

test('a kill of a run whose pids are a stranger’s by now reaches no stranger', async (t) => {
  const orca = new Orca(t);
  const ledger = new Ledger(orca.folder);
  const run = await orca.submit('--', ...ledger.held('mine', 3));
  const leader = await ledger.begun('mine');
  const other = stranger(t);
  changePids(orca, run, { keeper: other, command: other });
  const { status } = await orca.run(['kill', '--now', String(run)]);
  assert.equal(status, 0);
  assert.equal(await wait(orca, run), 125);
  assert.deepEqual([alive(leader), alive(other.pid)], [false, true]);
});

test('a corrupt record stops no other run', async (t) => {
  const orca = new Orca(t, { ORCA_CAPACITY_CPUS: '8' });
  const ledger = new Ledger(orca.folder);
  const names = ['exit', 'pid', 'marks', 'folder', 'good'];
  const runs: number[] = [];
  for (const name of names) runs.push(await orca.submit('--', ...ledger.held(name, 3)));
  const [exit, pid, marks, folder, good] = runs as [number, number, number, number, number];
  const leaders = await Promise.all(names.map((name) => ledger.begun(name)));
  await crash(orca);
  await killHard(orca.keeperPid(exit), orca.keeperPid(folder), leaders[0] ?? null, leaders[3] ?? null);
  writeRecord(orca, exit, 'exit', '{"protocol":1,"how":"exi');
  mkdirSync(startFile(orca, folder, 'exit'));
  writeRecord(orca, pid, 'pid', '\0\0\0\0');
  writeRecord(orca, marks, 'marks', 'no mark\n{"mark":\n');
  ledger.release('pid', 'marks', 'good');
  const statuses = await Promise.all(runs.map((run) => wait(orca, run)));
  assert.deepEqual(statuses, [121, 3, 3, 121, 3]);
  for (const run of [pid, marks, good]) assert.equal((await orca.status(run)).state, 'failed');
  for (const run of [exit, folder]) assert.equal((await orca.status(run)).state, 'lost');
  for (const name of names) assert.equal(ledger.read(name).begun.length, 1);
});

test('a request that sat unread in the pipe when the daemon died is never carried out', async (t) => {
  const orca = new Orca(t);
  const ledger = new Ledger(orca.folder);
  await orca.run(['up']);
  const [resident] = orca.residents();
  assert.ok(resident !== undefined);
  process.kill(resident, 'SIGSTOP');
  const run = await orca.submit('--', ...ledger.held('unread'));
  await until(() => (existsSync(startFile(orca, run, '')) ? true : null), 'the start is claimed');
  await orca.untilRun(run, ({ starts }) => starts[0]?.state === 'starting', 'starting');
  await killHard(orca.daemonPid());
  await orca.run(['status', String(run)]);
  await ledger.begun('unread');
  process.kill(resident, 'SIGCONT');
  await untilGone(resident, 'the old resident');
  ledger.release('unread');
  assert.equal(await wait(orca, run), 0);
  const { begun, ended } = ledger.read('unread');
  assert.deepEqual([begun.length, ended], [1, 1]);
  const { starts, starts_count: count } = await orca.status(run);
  assert.deepEqual(
    starts.map(({ start, state }) => [start, state]),
    [
      [1, 'void'],
      [2, 'ended'],
    ],
  );
  assert.equal(count, 1);
});

test('a run that was killed while its start sat unread is over without a start', async (t) => {
  const orca = new Orca(t);
  const ledger = new Ledger(orca.folder);
  await orca.run(['up']);
  const [resident] = orca.residents();
  assert.ok(resident !== undefined);
  process.kill(resident, 'SIGSTOP');
  const run = await orca.submit('--', ...ledger.held('unread'));
  await orca.untilRun(run, ({ starts }) => starts[0]?.state === 'starting', 'starting');
  await orca.run(['kill', String(run)]);
  await killHard(orca.daemonPid());
  assert.equal(await wait(orca, run), 125);
  process.kill(resident, 'SIGCONT');
  await untilGone(resident, 'the old resident');
  assert.deepEqual(ledger.read('unread').begun, []);
});

test('time limit and kill grace hold while no daemon lives', async (t) => {
  const orca = new Orca(t, { ORCA_KILL_GRACE_SECONDS: '0.5' });
  const script = 'trap "echo term >> marks" TERM; echo $$ > leader; while :; do sleep 0.05; done';
  const run = await orca.submit('--timeout', '1500ms', '--', 'sh', '-c', script);
  const leader = await until(() => numberIn(join(orca.folder, 'leader')), 'the command has begun');
  await crash(orca);
  await untilGone(leader);
  assert.equal(readFileSync(join(orca.folder, 'marks'), 'utf8'), 'term\n');
  assert.deepEqual(orca.residents(), []);
  assert.equal(await wait(orca, run), 97);
  const { state, evidence, signal } = await orca.status(run);
  assert.deepEqual({ state, evidence, signal }, { state: 'timed-out', evidence: 'timer', signal: 9 });
});

test('a kill that was recorded before a crash is delivered after it', async (t) => {
  const orca = new Orca(t);
  const ledger = new Ledger(orca.folder);
  const run = await orca.submit('--retries', '2', '--', ...ledger.held('late'));
  const leader = await ledger.begun('late');
  await orca.untilRun(run, ({ state }) => state === 'running', 'running');
  await crash(orca);
  changeStore(orca, `update runs set kill_at = ${Date.now()}, kill_by = 'orca kill by ada' where id = ${run}`);
  assert.equal(await wait(orca, run), 125);
  assert.equal(alive(leader), false);
  const { evidence, text, starts } = await orca.status(run);
  assert.equal(evidence, 'user-kill');
  assert.match(text ?? '', /orca kill by ada/);
  assert.equal(starts.length, 1);
});

test('a run whose start folder was taken away is lost and not for ever running, and nothing of it is left', async (t) => {
  const orca = new Orca(t);
  const ledger = new Ledger(orca.folder);
  const run = await orca.submit('--', ...ledger.held('taken'));
  const leader = await ledger.begun('taken');
  await orca.untilRun(run, ({ state }) => state === 'running', 'running');
  await crash(orca);
  rmSync(join(orca.state, 'starts', `${run}.1`), { recursive: true });
  assert.equal(await wait(orca, run), 121);
  assert.equal(alive(leader), false);
  const { state, evidence, starts_count } = await orca.status(run);
  assert.deepEqual([state, evidence, starts_count], ['lost', 'keeper-died', 1]);
});

test('after a reboot that took the start folder along, the run is lost for the reboot', async (t) => {
  const orca = new Orca(t);
  const ledger = new Ledger(orca.folder);
  const run = await orca.submit('--', ...ledger.held('gone'));
  const leader = await ledger.begun('gone');
  await orca.untilRun(run, ({ state }) => state === 'running', 'running');
  await crash(orca);
  await killHard(leader);
  await untilGone(leader);
  rmSync(join(orca.state, 'starts', `${run}.1`), { recursive: true });
  changeStore(orca, `update starts set boot = '00000000-0000-4000-8000-000000000000' where run = ${run}`);
  assert.equal(await wait(orca, run), 121);
  assert.equal((await orca.status(run)).evidence, 'reboot');
});

test('a claim that the store forgot is taken from its folder: the run goes on and is not started again', async (t) => {
  const orca = new Orca(t);
  const ledger = new Ledger(orca.folder);
  const run = await orca.submit('--', ...ledger.held('forgotten', 4));
  await ledger.begun('forgotten');
  await crash(orca);
  // Claims are not synced: after a power failure the store may be this far back.
  changeStore(
    orca,
    `update runs set state = 'queued', current_start = 0, started_at = null where id = ${run}`,
    `delete from attempts where run = ${run}`,
    `delete from starts where run = ${run}`,
  );
  await orca.untilRun(run, ({ state }) => state === 'running', 'running');
  ledger.release('forgotten');
  assert.equal(await wait(orca, run), 4);
  assert.equal(ledger.read('forgotten').begun.length, 1);
});

test('with the store deleted what still runs is ended, and no number is given twice', async (t) => {
  const orca = new Orca(t);
  const ledger = new Ledger(orca.folder);
  await orca.run(['run', '--', 'true']);
  const run = await orca.submit('--', ...ledger.held('stray'));
  const orphan = await orca.submit('--', ...ledger.held('orphan'));
  const leaders = [await ledger.begun('stray'), await ledger.begun('orphan')];
  await killHard(...orca.residents(), orca.daemonPid(), orca.keeperPid(orphan));
  for (const name of readdirSync(orca.state).filter((file) => file.startsWith('orca.db'))) {
    rmSync(join(orca.state, name));
  }
  // Claimed, and never begun.
  mkdirSync(startFile(orca, orphan + 5, ''));
  const next = await orca.submit('--', 'true');
  assert.equal(next, orphan + 6);
  for (const leader of leaders) await untilGone(leader);
  assert.equal(await wait(orca, next), 0);
  assert.equal((await orca.run(['wait', String(run)])).status, 127);
});

test('a name in the starts folder that is no start’s is left alone', async (t) => {
  const orca = new Orca(t);
  await orca.run(['run', '--', 'true']);
  await crash(orca);
  const odd = join(orca.state, 'starts', 'notes.txt');
  writeFileSync(odd, 'mine');
  assert.equal((await orca.run(['run', '--', 'true'])).status, 0);
  assert.equal(readFileSync(odd, 'utf8'), 'mine');
});

const numberIn = (file: string): number | null => (existsSync(file) && Number(readFileSync(file, 'utf8'))) || null;
