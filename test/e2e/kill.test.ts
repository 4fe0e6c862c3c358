import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import type { KillAnswer } from '../../src/wire/api.ts';
import { Orca } from './support/orca.ts';
import { pidsIn } from './support/pids-in.ts';
import { alive, untilGone } from './support/processes.ts';
import { submitAll } from './support/submit-all.ts';
import { until } from './support/until.ts';

/** One core, so that a second run waits. */
const orca = new Orca({ after }, { ORCA_CAPACITY_CPUS: '1', ORCA_KILL_GRACE_SECONDS: '1' });

const kill = async (run: number, ...options: string[]): Promise<KillAnswer['result'] | undefined> => {
  const { stdout } = await orca.run(['kill', '--json', ...options, String(run)]);
  return (JSON.parse(stdout) as { runs: KillAnswer[] }).runs[0]?.result;
};

const wait = async (run: number): Promise<number | null> => (await orca.run(['wait', String(run)])).status;

let made = 0;

/** A run for ever, once it runs; `first` is what its shell does before. */
const running = async (first = ':', options: readonly string[] = []): Promise<{ run: number; pid: number }> => {
  const file = join(orca.folder, `${(made += 1)}.pid`);
  const run = await orca.submit(...options, '--', 'sh', '-c', `${first}; echo $$ > '${file}'; ${forEver}`);
  const [pid = 0] = await until(() => pidsIn(file, 1), `run ${run} runs`);
  return { run, pid };
};

const forEver = 'while :; do sleep 0.05; done';

test('a running run is killed: nothing of it is left, and the record says who did it', async () => {
  const { run, pid } = await running();
  assert.equal(await kill(run), 'killing');
  assert.equal(await wait(run), 125);
  assert.equal(alive(pid), false);
  const { state, text, evidence, kill: asked, starts_count } = await orca.status(run);
  assert.deepEqual([state, evidence, starts_count], ['killed', 'user-kill', 1]);
  assert.match(text ?? '', /^killed \(orca kill by .+\); killed by signal 15/);
  assert.match(asked?.by ?? '', /^orca kill by /);
});

test('a run that ignores TERM is killed after its grace, and at once with --now or when it is killed again so', async () => {
  const patient = await running("trap '' TERM");
  assert.equal(await kill(patient.run), 'killing');
  assert.equal(await wait(patient.run), 125);
  const { kill: asked, ended_at } = await orca.status(patient.run);
  assert.ok((ended_at ?? 0) - (asked?.at ?? 0) >= 950, 'it had its grace');

  const env = { ORCA_KILL_GRACE_SECONDS: '600' };
  const long = Number((await orca.run(['submit', '--', 'sh', '-c', `trap '' TERM; ${forEver}`], { env })).stdout);
  await orca.untilRun(long, ({ state }) => state === 'running', 'running');
  assert.equal(await kill(long), 'killing');
  assert.equal(await kill(long), 'killing', 'a second one is taken too');
  assert.equal(await kill(long, '--now'), 'killing');
  assert.equal(await wait(long), 125);

  const now = Number((await orca.run(['submit', '--', 'sh', '-c', `trap '' TERM; ${forEver}`], { env })).stdout);
  await orca.untilRun(now, ({ state }) => state === 'running', 'running');
  assert.equal(await kill(now, '--now'), 'killing');
  assert.equal(await wait(now), 125);
  assert.equal((await orca.status(now)).signal, 9);
});

test('a queued run is killed before it is started', async () => {
  const first = await running();
  const never = join(orca.folder, 'never');
  const queued = await orca.submit('--', 'touch', never);
  assert.match((await orca.status(queued)).reason ?? '', new RegExp(`held by run ${first.run}`));
  assert.equal(await kill(queued), 'killed');
  assert.equal(await wait(queued), 125);
  const { state, text, starts_count } = await orca.status(queued);
  assert.deepEqual([state, starts_count], ['killed', 0]);
  assert.match(text ?? '', /killed before it was started: orca kill by/);
  await kill(first.run, '--now');
  assert.equal(await wait(first.run), 125);
  assert.equal(existsSync(never), false);
});

test('a run is killed in whatever moment of its beginning the kill comes', async () => {
  const runs = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const run = await orca.submit('--cpus', '0.1', '--memory', '20MB', '--', 'sleep', '300');
      return { run, result: await kill(run) };
    }),
  );
  for (const { run, result } of runs) {
    assert.ok(result === 'killing' || result === 'killed', result);
    assert.equal(await wait(run), 125);
  }
});

test('a run that waits between two starts is killed for good', async () => {
  const env = { ORCA_RETRY_DELAY_SECONDS: '600' };
  const args = ['submit', '--retries', '5', '--', 'sh', '-c', 'exit 3'];
  const run = Number((await orca.run(args, { env })).stdout);
  const waiting = await orca.untilRun(
    run,
    ({ state, starts_count }) => state === 'queued' && starts_count === 1,
    'in its back-off',
  );
  assert.match(waiting.reason ?? '', /its next start is due in \d+ s/);
  assert.equal(await kill(run), 'killed');
  assert.equal(await wait(run), 125);
  const { state, text, starts_count, started_at, starts } = await orca.status(run);
  assert.deepEqual([state, starts_count], ['killed', 1]);
  assert.match(text ?? '', /killed before it was started again/);
  assert.equal(started_at, starts[0]?.started_at ?? assert.fail(), 'it began, however short that was');
});

test('after a person’s kill, exit 0 has succeeded, another code is killed, and neither is started again', async () => {
  const well = await running("trap 'exit 0' TERM", ['--retries', '5']);
  await kill(well.run);
  assert.equal(await wait(well.run), 0);
  const ended = await orca.status(well.run);
  assert.deepEqual([ended.state, ended.starts_count], ['succeeded', 1]);
  assert.match(ended.text ?? '', /was asked to stop \(orca kill by .+\), ended well/);

  const badly = await running("trap 'exit 3' TERM", ['--retries', '5']);
  await kill(badly.run);
  assert.equal(await wait(badly.run), 125);
  const told = await orca.status(badly.run);
  assert.deepEqual([told.state, told.exit_code, told.starts_count], ['killed', 3, 1]);
});

test('a kill that comes when the command has just ended is final, and the text says both', async () => {
  const { run, pid } = await running(':', ['--retries', '5']);
  const keeper = orca.keeperPid(run) ?? 0;
  process.kill(keeper, 'SIGSTOP');
  process.kill(pid, 'SIGKILL');
  const killing = kill(run);
  await orca.untilRun(run, ({ kill: asked }) => asked !== null, 'asked to end');
  process.kill(keeper, 'SIGCONT');
  await killing;
  assert.equal(await wait(run), 125);
  const { state, evidence, text, starts } = await orca.status(run);
  assert.deepEqual([state, evidence, starts.map(({ verdict }) => verdict)], ['killed', 'user-kill', ['failed']]);
  assert.match(text ?? '', /^killed \(orca kill by .+\), when its start had just ended: killed by signal 9/);
});

test('a kill recorded when the end was there, though not stored yet, stops further starts and is not how the run ended', async () => {
  for (const [code, state, text] of [
    [7, 'failed', /^exit code 7; a kill came afterwards \(ada\)$/],
    [0, 'succeeded', /^ended well; a kill came afterwards \(ada\)$/],
  ] as const) {
    const { run, pid } = await running(`trap 'exit ${code}' TERM`, ['--retries', '5']);
    const keeper = orca.keeperPid(run) ?? 0;
    const daemon = orca.daemonPid() ?? 0;
    orca.killDaemon();
    await untilGone(daemon);
    process.kill(pid, 'SIGTERM');
    await untilGone(keeper);
    const store = new DatabaseSync(join(orca.state, 'orca.db'));
    store.prepare('update runs set kill_at = ?, kill_by = ? where id = ?').run(Date.now() + 1, 'ada', run);
    store.close();
    assert.equal(await wait(run), code);
    const told = await orca.status(run);
    assert.deepEqual([told.state, told.exit_code, told.starts_count], [state, code, 1]);
    assert.match(told.text ?? '', text);
  }
});

test('a run that is over stays as it is, and an unknown one is said to be unknown', async () => {
  const run = await orca.submit('--', 'true');
  assert.equal(await wait(run), 0);
  const final = await orca.run(['kill', String(run)]);
  assert.equal(final.status, 0);
  assert.match(final.stderr, new RegExp(`run ${run} was over already \\(succeeded\\)`));
  assert.equal((await orca.status(run)).kill, null);
  const unknown = await orca.run(['kill', '999999']);
  assert.equal(unknown.status, 127);
  assert.match(unknown.stderr, /there is no run 999999/);
});

test('the queue goes by priority, then by submission', async () => {
  const order = join(orca.folder, 'order');
  const first = await running();
  const note = (word: string): string[] => ['--', 'sh', '-c', `echo ${word} >> '${order}'`];
  const runs = [
    await orca.submit(...note('plain-1')),
    await orca.submit('--priority', '-5', ...note('low')),
    await orca.submit(...note('plain-2')),
    await orca.submit('--priority', '5', ...note('high')),
  ];
  await kill(first.run, '--now');
  assert.equal((await orca.run(['wait', ...runs.map(String)])).status, 0);
  assert.equal(readFileSync(order, 'utf8'), 'high\nplain-1\nplain-2\nlow\n');
});

test('a run that could never start is refused, and nothing of it is kept', async () => {
  for (const [options, words] of [
    [['--cpus', '2'], /2 cpus were asked for, and this machine has 1/],
    [['--memory', '100000GB'], /could never start/],
  ] as const) {
    const before = (await orca.run(['list', '--all', '--json'])).stdout;
    const { status, stdout, stderr } = await orca.run(['submit', ...options, '--', 'true']);
    assert.equal(status, 120);
    assert.equal(stdout, '');
    assert.match(stderr, words);
    assert.match(stderr, /\n  Ask for at most .*\n$/);
    assert.equal((await orca.run(['list', '--all', '--json'])).stdout, before);
  }
});

test('a group is killed whole: what runs, waits, is held back, and comes after others; none of it is started meanwhile', async (t) => {
  const own = new Orca(t, { ORCA_CAPACITY_CPUS: '1' });
  await own.run(['up']);
  const mark = join(own.folder, 'mark');
  const made = await submitAll(own, [['sleep', '60'], ...Array.from({ length: 1500 }, () => ['touch', mark])], {
    group: 'new',
  });
  const [first = 0, held = 0] = made.runs;
  const group = `g${made.group ?? 0}`;
  await own.untilRun(first, ({ state }) => state === 'running', 'running');
  const later = await submitAll(own, [['touch', mark]], { after: [{ run: first, any: true }], tags: ['later'] });
  const other = await own.submit('--', 'true');
  await own.run(['pause', String(held)]);

  const killed = await own.run(['kill', group, '--tag', 'later']);
  assert.equal(killed.stderr, `orca: ${group}, tag later: 1501 that waited are ended, 1 is being ended\n`);
  assert.equal((await own.run(['wait', String(other)])).status, 0, 'what is not of it goes on');
  const { stdout } = await own.run(['list', '--all', '--group', group, '--limit', '5000', '--json']);
  const { runs } = JSON.parse(stdout) as { runs: { id: number; state: string; starts_count: number }[] };
  assert.equal(runs.length, 1501);
  assert.equal((await own.status(later.runs[0] ?? 0)).state, 'killed');
  assert.deepEqual(new Set(runs.map(({ state }) => state)), new Set(['killed']));
  assert.deepEqual(
    runs.filter(({ starts_count: starts }) => starts > 0).map(({ id }) => id),
    [first],
  );
  assert.equal(existsSync(mark), false);
  assert.equal((await own.run(['kill', group])).stderr, `orca: nothing of ${group} waits or runs\n`);
});

test('a run that goes on over its time limit is told as that while it ends', async (t) => {
  const orca = new Orca(t, { ORCA_KILL_GRACE_SECONDS: '600' });
  const deaf = await orca.submit('--timeout', '500ms', '--', 'sh', '-c', "trap '' TERM; while :; do sleep 0.1; done");
  const usual = await orca.submit('--timeout', '10m', '--', 'sleep', '600');
  const told = /was told to stop at its time limit of 500 ms, and has not ended yet/;
  await orca.untilRun(deaf, ({ reason }) => told.test(reason ?? ''), 'told to be over its time limit');
  for (const command of [['list'], ['status', String(deaf)], ['explain', String(deaf)]])
    assert.match((await orca.run(command)).stdout, told);
  await orca.untilRun(usual, ({ state }) => state === 'running', 'running');
  assert.equal((await orca.status(usual)).reason, null);
  await orca.run(['kill', '--now', String(deaf), String(usual)]);
});
