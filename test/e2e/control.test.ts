import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test, type TestContext } from 'node:test';
import type { RunJson } from '../../src/wire/api.ts';
import { compileHog } from './support/hog.ts';
import { Orca, program } from './support/orca.ts';
import { until } from './support/until.ts';

const capMb = 64;
const mib = 1048576;

/** Without cgroups, where the cap is sampled. */
const opened = (t: TestContext, env: NodeJS.ProcessEnv = {}): Orca =>
  new Orca(t, {
    ORCA_CGROUPS: '0',
    ORCA_USAGE_INTERVAL_MS: '50',
    ORCA_CAPACITY_CPUS: '8',
    ORCA_CAPACITY_MB: '8000',
    ORCA_CONTROL_MEMORY_MB: String(capMb),
    ...env,
  });

const runOf = async (orca: Orca, ...args: string[]): Promise<RunJson> =>
  JSON.parse((await orca.run(['run', '--json', ...args])).stdout) as RunJson;

/** Field 19 of its stat. */
const niceOf = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
};

test('a run on control whose tree passes the cap is killed, and its attempts say why; no single process was over', async (t) => {
  const orca = opened(t);
  const hog = compileHog(orca.folder);
  const run = await runOf(orca, '--placement', 'control', '--', hog, 'children', '3', '30', '60000');
  assert.deepEqual([run.state, run.evidence, run.exit_status], ['out-of-memory', 'sampled-cap', 99]);
  assert.match(run.text ?? '', /^out of memory at 64 MB: used .*, over its cap 64 MB, /);
  assert.match(run.text ?? '', /more than 64 MB, the most that a run on control may have.*ORCA_CONTROL_MEMORY_MB\.$/);
  assert.deepEqual([run.starts[0]?.limit_bytes, run.starts[0]?.cap_bytes], [capMb * mib, capMb * mib]);
  const store = new DatabaseSync(join(orca.state, 'orca.db'), { readOnly: true });
  const attempts = store.prepare('select state, error from attempts where run = ?').all(run.id);
  store.close();
  assert.deepEqual(
    attempts.map(({ state, error }) => [state, error]),
    [['out-of-memory', run.text]],
  );
});

test('what runs inside a run on control stands back as that does', async (t) => {
  const orca = opened(t, { ORCA_CONTROL_MEMORY_MB: '500' });
  const { stdout, stderr } = await orca.run([
    'run',
    '--placement',
    'control',
    '--',
    process.execPath,
    program,
    'run',
    '--',
    'nice',
  ]);
  assert.equal(stdout, '10\n', stderr);
});

test('whatever a run on control asks for, it gets no more than the cap, and is not tried again there', async (t) => {
  const orca = opened(t);
  const hog = compileHog(orca.folder);
  const asked = ['--placement', 'control', '--memory', '32MB..1GB'];
  const run = await runOf(orca, ...asked, '--', hog, 'hold', '100', '60000');
  assert.equal(run.state, 'out-of-memory');
  assert.deepEqual(
    run.starts.map(({ limit_bytes, cap_bytes }) => [limit_bytes, cap_bytes].map((size) => (size ?? 0) / mib)),
    [
      [32, 40],
      [48, 60],
      [64, 64],
    ],
  );
  // More than the machine has: asked for there it would be refused.
  const large = await runOf(orca, '--placement', 'control', '--memory', '100GB', '--', 'true');
  assert.deepEqual([large.state, large.starts[0]?.limit_bytes], ['succeeded', capMb * mib]);
});

test('a run on control has the nice of control, its workers’ number, and samples of that name', async (t) => {
  const orca = opened(t, { ORCA_SAMPLE_SECONDS: '0.2' });
  await orca.run(['up'], { env: { ORCA_CONTROL_WORKERS: '3' } });
  const go = join(orca.folder, 'go');
  const script = `echo $ORCA_CONTROL_WORKERS; until [ -e '${go}' ]; do sleep 0.05; done`;
  const run = await orca.submit('--placement', 'control', '--', 'sh', '-c', script);
  const { starts } = await orca.untilRun(run, ({ starts: [start] }) => start?.state === 'running', 'running');
  assert.equal(niceOf(starts[0]?.pid ?? 0), 10);
  const metrics = join(orca.state, 'logs', '_command', String(run), 'metrics');
  await until(() => (existsSync(join(metrics, 'control.jsonl')) ? true : null), 'its samples are there');
  assert.ok(!existsSync(join(metrics, 'local.jsonl')));
  writeFileSync(go, '');
  await orca.run(['wait', String(run)]);
  assert.equal((await orca.run(['logs', String(run), '--stdout'])).stdout, '3\n');
  assert.match((await orca.run(['metrics', String(run), '--json'])).stdout, /^\{"v":/);
  const plain = await orca.run(['run', '--', 'sh', '-c', 'echo [$ORCA_CONTROL_WORKERS]; ps -o ni= -p $$']);
  assert.match(plain.stdout, /^\[\]\n +0\n$/);
});

/** What the store alone says of why a run waits. */
const heldOf = (orca: Orca, run: number): unknown => {
  const store = new DatabaseSync(join(orca.state, 'orca.db'), { readOnly: true });
  const row = store.prepare('select held from runs where id = ?').get(run);
  store.close();
  return row?.['held'];
};

const waiting = (go: string): string[] => ['sh', '-c', `until [ -e '${go}' ]; do sleep 0.05; done`];

test('with two runs on control a third waits and says why until it starts; the cap kills the one that passes it, with its reason', async (t) => {
  const orca = opened(t);
  const hog = compileHog(orca.folder);
  const [go, eat] = [join(orca.folder, 'go'), join(orca.folder, 'eat')];
  const onControl = (...command: string[]): Promise<number> => orca.submit('--placement', 'control', '--', ...command);
  const first = await onControl(...waiting(go));
  const hungry = await onControl(
    'sh',
    '-c',
    `until [ -e '${eat}' ]; do sleep 0.05; done; exec '${hog}' children 3 30 60000`,
  );
  const going = await Promise.all(
    [first, hungry].map((run) => orca.untilRun(run, ({ state }) => state === 'running', 'running')),
  );
  for (const { starts } of going) assert.equal(niceOf(starts[0]?.pid ?? 0), 10);
  const third = await onControl(...waiting(go));
  const words = '2 runs are on control, and 2 may be (ORCA_CONTROL_MAX_RUNS); waits for one to end';
  const { reason } = await orca.untilRun(third, ({ reason: said }) => said !== null, 'told why it waits');
  assert.ok(reason?.startsWith(words), reason ?? '');
  await until(() => (heldOf(orca, third) === words ? true : null), 'the store says why');
  // Others do not wait for a slot of control.
  assert.equal((await orca.run(['run', '--', 'true'])).status, 0);
  assert.equal((await orca.status(third)).state, 'queued');
  writeFileSync(eat, '');
  const dead = await orca.untilRun(hungry, ({ state }) => state !== 'running', 'over');
  assert.equal(dead.state, 'out-of-memory');
  assert.match(dead.text ?? '', /over its cap 64 MB, /);
  const { reason: now } = await orca.untilRun(third, ({ state }) => state === 'running', 'running');
  assert.deepEqual([now, heldOf(orca, third)], [null, null]);
  assert.equal((await orca.status(first)).state, 'running');
  writeFileSync(go, '');
  assert.equal((await orca.run(['wait', String(first), String(third)])).status, 0);
});

test('where the default placement means control, runs without one are on control too', async (t) => {
  const orca = opened(t, { ORCA_RUNNER: 'control' });
  const go = join(orca.folder, 'go');
  const first = await orca.submit('--', ...waiting(go));
  const second = await orca.submit('--placement', 'control', '--', ...waiting(go));
  const third = await orca.submit('--placement', 'default', '--', ...waiting(go));
  await orca.untilRun(third, ({ reason }) => reason?.startsWith('2 runs are on control') === true, 'told why it waits');
  const { placement, starts } = await orca.untilRun(first, ({ state }) => state === 'running', 'running');
  assert.deepEqual([placement, starts[0]?.cap_bytes, niceOf(starts[0]?.pid ?? 0)], [null, capMb * mib, 10]);
  writeFileSync(go, '');
  assert.equal((await orca.run(['wait', ...[first, second, third].map(String)])).status, 0);
});

test('a run whose runner is not here waits, says for which, and holds nobody up', async (t) => {
  const orca = opened(t);
  const runs = [
    ['ec2', 'waits for the runner ec2: this orca has none'],
    ['worker:gpu-2', 'waits for a worker of the pool gpu-2: this orca has no workers'],
  ] as const;
  for (const [placement, words] of runs) {
    const run = await orca.submit('--priority', '5', '--placement', placement, '--', 'true');
    await orca.untilRun(run, ({ reason }) => reason === words, words);
    await until(() => (heldOf(orca, run) === words ? true : null), 'the store says why');
    assert.equal((await orca.run(['run', '--', 'true'])).status, 0);
    await orca.run(['kill', String(run)]);
    assert.deepEqual([(await orca.status(run)).state, heldOf(orca, run)], ['killed', null]);
  }
});

test('while the newest minute of the machine was too full nothing starts on control; an old one holds nothing', async (t) => {
  const minuteMs = 60_000;
  const begun = async (minutesAgo: number): Promise<Orca> => {
    const orca = opened(t, { ORCA_SAMPLE_SECONDS: '0' });
    await orca.run(['up']);
    const at = (Math.floor(Date.now() / minuteMs) - minutesAgo) * minuteMs;
    const waitingFor = { some: 0, full: 0 };
    const pressure = { memory: waitingFor, io: waitingFor };
    const line = JSON.stringify({ at, samples: 12, memory: 91.4, disk: null, pressure });
    writeFileSync(join(orca.state, 'metrics', 'minutes.jsonl'), `${line}\n`);
    // What an earlier daemon wrote is read at the start.
    assert.equal((await orca.run(['restart'])).status, 0);
    return orca;
  };
  const full = await begun(1);
  const run = await full.submit('--placement', 'control', '--', 'true');
  const words = '92 % of the memory was in use in the newest minute; nothing starts on control while that is over 85 %';
  await full.untilRun(run, ({ reason }) => reason === words, words);
  assert.equal((await full.run(['run', '--', 'true'])).status, 0);
  const old = await begun(5);
  assert.equal((await old.run(['run', '--placement', 'control', '--', 'true'])).status, 0);
});
