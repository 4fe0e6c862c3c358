import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ledger } from './support/ledger.ts';
import { Orca } from './support/orca.ts';
import { alive, killHard } from './support/processes.ts';
import { until } from './support/until.ts';
import { untilWaiting } from './support/waiting.ts';

const sh = { ORCA_KEEPER: 'sh', ORCA_RETRY_DELAY_SECONDS: '0', ORCA_KILL_GRACE_SECONDS: '0.5' };

const wait = (orca: Orca, run: number): Promise<number | null> =>
  orca.run(['wait', String(run)]).then(({ status }) => status);

test('the sh keeper runs a command with its input, passes its output and its exit code on', async (t) => {
  const orca = new Orca(t, sh);
  const script = 'cat; echo err >&2; exit 3';
  const { status, stdout, stderr } = await orca.run(['run', '--', 'sh', '-c', script], { input: 'through a pipe\n' });
  assert.deepEqual([status, stdout], [3, 'through a pipe\n']);
  assert.match(stderr, /^err\n/);
  assert.deepEqual(orca.residents(), []);
});

test('status and doctor say that the sh keeper is used, and why', async (t) => {
  const orca = new Orca(t, sh);
  await orca.run(['up']);
  assert.deepEqual((await orca.daemon()).keeper.kind, 'sh');
  assert.match((await orca.run(['status'])).stdout, /^keeper +sh \(ORCA_KEEPER is sh/m);
  const { containment } = await orca.daemon();
  assert.deepEqual([containment.on, /`sh` keeper/.test(containment.why)], [false, true]);
  const { stdout, status } = await orca.run(['doctor']);
  assert.equal(status, 0);
  assert.match(stdout, /^warn +keeper +sh: .*signals are guessed.*ORCA_KEEPER is sh/m);
});

test('what the sh keeper cannot know is said: 137 may be a signal, usage is unknown but for samples', async (t) => {
  const orca = new Orca(t, sh);
  const { status } = await orca.run(['run', '--', 'sh', '-c', 'kill -9 $$']);
  assert.equal(status, 98);
  const { state, exit_code: code, signal, text } = await orca.status(1);
  assert.deepEqual({ state, code, signal }, { state: 'failed', code: 137, signal: null });
  assert.match(text ?? '', /signal 9 \(SIGKILL\), or exit code 137 \(the sh keeper cannot tell\)/);
});

test('the sh keeper enforces the time limit, with the grace', async (t) => {
  const orca = new Orca(t, sh);
  const script = 'trap "echo term >> marks" TERM; while :; do sleep 0.05; done';
  const { status } = await orca.run(['run', '--timeout', '500ms', '--', 'sh', '-c', script]);
  assert.equal(status, 97);
  assert.equal(readFileSync(join(orca.folder, 'marks'), 'utf8'), 'term\n');
  assert.equal((await orca.status(1)).evidence, 'timer');
});

test('a kill goes through the sh keeper, also where another daemon with another keeper is in charge by then', async (t) => {
  const orca = new Orca(t, sh);
  const ledger = new Ledger(orca.folder);
  const [first, second] = [
    await orca.submit('--', ...ledger.held('first')),
    await orca.submit('--', ...ledger.held('second')),
  ];
  const leaders = [await ledger.begun('first'), await ledger.begun('second')];
  await orca.run(['kill', String(first)]);
  assert.equal(await wait(orca, first), 125);
  await killHard(orca.daemonPid());
  await orca.run(['up'], { env: { ORCA_KEEPER: 'auto' } });
  assert.equal((await orca.daemon()).keeper.kind, 'native');
  await orca.run(['kill', String(second)]);
  assert.equal(await wait(orca, second), 125);
  assert.deepEqual(leaders.map(alive), [false, false]);
});

test('a run of the sh keeper survives its daemon, and is started once', async (t) => {
  const orca = new Orca(t, { ...sh, ORCA_CAPACITY_CPUS: '1' });
  const ledger = new Ledger(orca.folder);
  const [first, second] = [
    await orca.submit('--', ...ledger.held('first', 4)),
    await orca.submit('--', ...ledger.held('second', 5)),
  ];
  await ledger.begun('first');
  const waits = [first, second].map((run) => orca.start(['wait', String(run)]));
  await untilWaiting(orca, waits);
  await killHard(orca.daemonPid());
  ledger.release('first', 'second');
  assert.deepEqual(await Promise.all(waits.map(async ({ ended }) => (await ended).status)), [4, 5]);
  for (const name of ['first', 'second']) assert.equal(ledger.read(name).begun.length, 1);
});

test('what a command leaves behind under the sh keeper is ended with it', async (t) => {
  const orca = new Orca(t, sh);
  const script = 'setsid sh -c "echo \\$\\$ > left; exec sleep 600" & while [ ! -s left ]; do sleep 0.02; done; exit 6';
  assert.equal((await orca.run(['run', '--', 'sh', '-c', script])).status, 6);
  assert.equal(alive(Number(readFileSync(join(orca.folder, 'left'), 'utf8'))), false);
});

test('a killed sh keeper loses its start, and the next one begins when its tree is gone', async (t) => {
  const orca = new Orca(t, sh);
  const ledger = new Ledger(orca.folder);
  const run = await orca.submit('--retries', '1', '--', ...ledger.held('again'));
  await ledger.begun('again');
  await until(() => (orca.keeperPid(run) === null ? null : true), 'the keeper has told its pid');
  await killHard(orca.keeperPid(run));
  await ledger.begun('again', 2);
  ledger.release('again');
  assert.equal(await wait(orca, run), 0);
  assert.equal(ledger.read('again').doubled, 0);
  assert.equal((await orca.status(run)).starts[0]?.evidence, 'keeper-died');
});

test('orca restart works without a resident', async (t) => {
  const orca = new Orca(t, sh);
  const ledger = new Ledger(orca.folder);
  const run = await orca.submit('--', ...ledger.held('kept', 7));
  await ledger.begun('kept');
  const before = orca.daemonPid();
  assert.equal((await orca.run(['restart'])).status, 0);
  assert.notEqual(orca.daemonPid(), before);
  ledger.release('kept');
  assert.equal(await wait(orca, run), 7);
  assert.equal(existsSync(join(orca.state, 'starts', `${run}.1`)), false);
});
