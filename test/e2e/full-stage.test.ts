import assert from 'node:assert/strict';
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { test, type TestContext } from 'node:test';
import { ask, linesOf } from './support/http.ts';
import { Orca } from './support/orca.ts';
import { Tmpfs, tmpfsMissing } from './support/tmpfs.ts';
import { until } from './support/until.ts';

const noTmpfs = await tmpfsMissing(process.env['ORCA_TEST_REQUIRE']);

const value = 'zq7%Vx-of-the-stage';

/** With a stage on a file system of that size, where one is given. */
const withStage = async (
  t: TestContext,
  size: string | null,
): Promise<{ orca: Orca; stage: string; secret: string }> => {
  let full: Tmpfs | null = null;
  t.after(async () => {
    await full?.unmount();
  });
  const orca = new Orca(t);
  const stage = join(orca.folder, 'stage');
  if (size !== null) full = new Tmpfs(stage, size);
  const secret = join(orca.folder, 'secret');
  writeFileSync(secret, `${value}\n`);
  await orca.run(['up'], { env: { ORCA_LOG_STAGE: stage } });
  return { orca, stage, secret };
};

const outputs = (stage: string): string[] => (existsSync(stage) ? readdirSync(stage) : []);

test(
  'what filled the stage gets into its log, the record says that some may be lost, and later runs have room again',
  { skip: noTmpfs },
  async (t) => {
    const { orca, stage, secret } = await withStage(t, '2m');
    const write = `echo "x $DB"; head -c 4000000 /dev/zero | tr '\\0' a`;
    const first = await orca.submit('--secret', `DB=file:${secret}`, '--', 'sh', '-c', write);
    const waited = await orca.run(['wait', String(first)]);
    assert.match(waited.stderr, /\(ORCA_LOG_STAGE\) was full then: of its output some may be lost/);
    assert.deepEqual(outputs(stage), []);
    const { starts } = await orca.status(first);
    const log = readFileSync(starts[0]?.logs.stdout ?? '', 'utf8');
    assert.ok(log.startsWith('x ***\naaa') && log.length > 1_500_000, `${log.length}`);
    const second = await orca.run(['run', '--secret', `DB=file:${secret}`, '--', 'sh', '-c', 'echo "y $DB"']);
    assert.deepEqual([second.status, second.stdout, second.stderr], [0, 'y ***\n', '']);
  },
);

test(
  'a run whose outputs go by way of a full stage waits and says why; others do not, and it is started once there is room',
  { skip: noTmpfs },
  async (t) => {
    const { orca, stage, secret } = await withStage(t, '2m');
    const filler = join(stage, 'filler');
    writeFileSync(filler, Buffer.alloc(1_500_000));
    const run = await orca.submit('--secret', `DB=file:${secret}`, '--', 'sh', '-c', 'echo "x $DB"');
    const control = await orca.submit('--placement', 'control', '--', 'echo', 'on control');
    const why = /cannot be started: \S+ \(ORCA_LOG_STAGE\) has less than 1 MB of room/;
    await orca.untilRun(run, ({ reason }) => why.test(reason ?? ''), 'told why it waits');
    await orca.untilRun(control, ({ reason }) => why.test(reason ?? ''), 'told why it waits');
    assert.equal((await orca.run(['run', '--', 'echo', 'plain'])).stdout, 'plain\n');
    assert.match((await orca.run(['explain', String(run)])).stdout, why);
    assert.match((await orca.run(['doctor'])).stdout, /warn +stage +\S+ has less than 1 MB of room/);
    assert.match((await orca.run(['status'])).stdout, /^stage +\S+ is full/m);
    rmSync(filler);
    assert.equal((await orca.run(['wait', String(run), String(control)])).status, 0);
    assert.equal((await orca.run(['logs', String(run)])).stdout, 'x ***\n');
    assert.doesNotMatch((await orca.run(['doctor'])).stdout, /^\w+ +stage/m);
  },
);

test('output that waits in the stage is told by doctor, status, explain and logs, with why, until it is in its log', async (t) => {
  const { orca, stage, secret } = await withStage(t, null);
  const log = join(orca.state, 'logs', '_command', '1', '1.stdout');
  const run = await orca.submit('--secret', `DB=file:${secret}`, '--', 'sh', '-c', `mkdir '${log}'; echo "x $DB"`);
  await orca.run(['wait', String(run)]);
  const told = async (): Promise<string[]> => {
    const all = [['doctor'], ['status'], ['status', '1'], ['explain', '1'], ['logs', '1']];
    const texts: string[] = [];
    for (const args of all) {
      const { stdout, stderr } = await orca.run(args);
      texts.push(stdout + stderr);
    }
    return texts;
  };
  const [doctor = '', overview = '', status = '', explain = '', logs = ''] = await told();
  assert.match(doctor, /warn +stage +output of run 1 waits in \S+ and is not in the logs: EISDIR/);
  assert.match(overview, /^stage +output of run 1 waits in/m);
  assert.match(status, /^start 1 logs +output of it waits in ORCA_LOG_STAGE and is not in its log: EISDIR/m);
  assert.match(explain, /start 1: output of it waits in ORCA_LOG_STAGE and is not in its log: EISDIR/);
  assert.match(logs, /^x \*\*\*\norca: run 1: output of it waits in ORCA_LOG_STAGE and is not in its log: EISDIR/);
  rmdirSync(log);
  await until(() => (outputs(stage).length === 0 ? true : null), 'the stage is empty');
  for (const text of await told()) assert.doesNotMatch(text, /waits in/);
});

const megabytes = (count: number): string => `yes "0123456789 $DB" | head -c ${count * 1048576}`;

for (const how of ['wait', 'wait --next', 'run', 'submit --wait'] as const) {
  test(`when ${how} is over, the outputs are in their logs: masked, cut to the cap, and nothing of them is left in the stage`, async (t) => {
    const { orca, stage, secret } = await withStage(t, null);
    const command = ['--secret', `DB=file:${secret}`, '--', 'sh', '-c', megabytes(12)];
    const env = { ORCA_LOG_MAX_MB: '1' };
    if (how === 'run') await orca.run(['run', '--json', ...command], { env });
    else if (how === 'submit --wait') await orca.run(['submit', '--wait', ...command], { env });
    else {
      await orca.run(['submit', ...command], { env });
      await orca.run([...how.split(' '), '1']);
    }
    assert.deepEqual(outputs(stage), []);
    const { starts } = await orca.status(1);
    const { stdout } = starts[0]?.logs ?? { stdout: '' };
    const size = statSync(stdout).size;
    assert.ok(size > 900_000 && size <= 1048576, String(size));
    assert.equal(statSync(join(stdout, '..', 'driver.log')).size, size);
    assert.ok(!readFileSync(stdout, 'utf8').includes(value));
  });
}

test('when a wait is told the end, the log of a plain run is cut to its cap', async (t) => {
  const { orca } = await withStage(t, null);
  const go = join(orca.folder, 'go');
  const script = `until [ -e '${go}' ]; do sleep 0.05; done; ${megabytes(160)}`;
  const { stdout } = await orca.run(['submit', '--', 'sh', '-c', script], { env: { ORCA_LOG_MAX_MB: '80' } });
  assert.equal(stdout, '1\n');
  const { starts } = await orca.untilRun(1, ({ state }) => state === 'running', 'running');
  const lines = linesOf(await ask(orca.state, 'POST', '/api/wait', { body: { runs: [1], detail: 'final' } }));
  writeFileSync(go, '');
  let size = 0;
  for await (const line of lines) if (line.includes('"type":"run"')) size = statSync(starts[0]?.logs.stdout ?? '').size;
  assert.ok(size > 0 && size <= 80 * 1048576, String(size));
});

test('hundreds of runs that wait for room in the stage keep no other from starting', { skip: noTmpfs }, async (t) => {
  const { orca, stage, secret } = await withStage(t, '2m');
  writeFileSync(join(stage, 'filler'), Buffer.alloc(1_500_000));
  const lines = join(orca.folder, 'lines');
  writeFileSync(lines, Array.from({ length: 600 }, (_, at) => `${at}\n`).join(''));
  const many = await orca.run(['submit', '--secret', `DB=file:${secret}`, '--each-line', lines, '--', 'echo']);
  assert.equal(many.status, 0, many.stderr);
  const other = await orca.submit('--', 'true');
  await orca.untilRun(other, ({ state }) => state === 'succeeded', 'over');
  await orca.run(['kill', 'g1']);
});

test('a stage or a folder of logs that cannot be made is said, and keeps nobody waiting for the daemon', async (t) => {
  for (const path of ['/proc/foo', 'link/stage', 'file/stage']) {
    const orca = new Orca(t);
    symlinkSync(join(orca.folder, 'nowhere'), join(orca.folder, 'link'));
    const secret = join(orca.folder, 'file');
    writeFileSync(secret, `${value}\n`);
    const stage = resolve(orca.folder, path);
    const env = { ORCA_LOG_STAGE: stage };
    const ran = await orca.run(['run', '--secret', `DB=file:${secret}`, '--', 'echo', 'hi'], { env });
    assert.notEqual(ran.status, 0);
    assert.ok(ran.stderr.includes(`${stage} (ORCA_LOG_STAGE) cannot be made: E`), ran.stderr);
    assert.equal((await orca.run(['run', '--', 'echo', 'plain'])).stdout, 'plain\n');
    await orca.run(['down']);
    await orca.run(['up'], { env: { ORCA_LOGS: resolve(orca.folder, path) } });
    const run = await orca.submit('--', 'true');
    await orca.untilRun(run, ({ reason }) => /where the run would write, cannot be made: E/.test(reason ?? ''), 'told');
  }
});

test('output that was removed from the stage while its run went on is told as lost, by all that tell of the run', async (t) => {
  const { orca, stage, secret } = await withStage(t, null);
  const [go, begun] = [join(orca.folder, 'go'), join(orca.folder, 'begun')];
  const script = `echo "x $DB"; touch '${begun}'; until [ -e '${go}' ]; do sleep 0.05; done`;
  const command = ['--', 'sh', '-c', script];
  const lost =
    /stage \(ORCA_LOG_STAGE\) has its standard output and standard error no more, which is lost: removed while it ran/;
  for (const [at, options] of [
    ['--secret', `DB=file:${secret}`],
    ['--placement', 'control'],
  ].entries()) {
    for (const file of [go, begun]) rmSync(file, { force: true });
    const run = orca.start(['run', ...options, ...command]);
    await until(() => existsSync(begun) || null, 'begun');
    rmSync(stage, { recursive: true });
    writeFileSync(go, '');
    const { status, stderr } = await run.ended;
    assert.equal(status, 0);
    assert.match(stderr, lost);
    const id = String(at + 1);
    for (const args of [
      ['logs', id],
      ['logs', '-f', id],
      ['explain', id],
      ['status', id],
      ['wait', id],
    ]) {
      const told = await orca.run(args);
      assert.match(told.stdout + told.stderr, lost, args.join(' '));
    }
  }
  assert.match(readFileSync(join(orca.state, 'daemon.log'), 'utf8'), /output of a start is lost: \S+stage/);
  const next = await orca.run(['submit', '--wait', '--secret', `DB=file:${secret}`, '--', 'sh', '-c', 'echo "y $DB"']);
  assert.deepEqual([next.status, next.stderr.includes('lost')], [0, false]);
  assert.equal((await orca.run(['logs', '3'])).stdout, 'y ***\n');
});

test('output that was moved out of the stage and is put back is told as lost only until it is in its log', async (t) => {
  const { orca, stage, secret } = await withStage(t, null);
  const [go, begun] = [join(orca.folder, 'go'), join(orca.folder, 'begun')];
  const script = `echo "x $DB"; touch '${begun}'; until [ -e '${go}' ]; do sleep 0.05; done; echo two`;
  const run = orca.start(['run', '--secret', `DB=file:${secret}`, '--', 'sh', '-c', script]);
  await until(() => existsSync(begun) || null, 'begun');
  renameSync(stage, `${stage}.away`);
  writeFileSync(go, '');
  assert.match((await run.ended).stderr, /which is lost/);
  rmSync(stage, { recursive: true, force: true });
  renameSync(`${stage}.away`, stage);
  assert.equal((await orca.run(['logs', '1'])).stdout, 'x ***\ntwo\n');
  await orca.untilRun(1, ({ starts }) => starts[0]?.lost_output === null, 'found');
  await until(() => outputs(stage).length === 0 || null, 'nothing left in the stage');
  const shown = await orca.run(['logs', '1']);
  assert.deepEqual([shown.stdout, shown.stderr], ['x ***\ntwo\n', '']);
  for (const command of ['explain', 'status', 'wait']) {
    const told = await orca.run([command, '1']);
    assert.doesNotMatch(told.stdout + told.stderr, /is lost/, command);
  }
  assert.match(
    (await orca.run(['explain', '1'])).stdout,
    /had its standard output and standard error no more .* put back since/,
  );
});

test('who waits for a run that ended well is told that its output is not whole', { skip: noTmpfs }, async (t) => {
  const { orca, secret } = await withStage(t, '2m');
  const command = ['--secret', `DB=file:${secret}`, '--', 'sh', '-c', 'yes "x $DB" | head -c 4000000; true'];
  const lost = /succeeded: .*\(ORCA_LOG_STAGE\) was full then: of its output some may be lost/;
  for (const how of [['run'], ['submit', '--wait'], ['wait', '1'], ['wait', '1', '2'], ['wait', '--next', '1']]) {
    const told = await orca.run(how[0] === 'wait' ? how : [...how, ...command]);
    assert.equal(told.status, 0);
    assert.match(told.stderr, lost, how.join(' '));
  }
  const shown = await orca.run(['logs', '1']);
  assert.ok(shown.stdout.startsWith('x ***\n'));
  assert.match(shown.stderr, /^orca: run 1: .* was full then: of its output some may be lost$/m);
});
