import assert from 'node:assert/strict';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { changeStore, crash } from './support/crash.ts';
import { Orca } from './support/orca.ts';
import { killHard, untilGone } from './support/processes.ts';
import { until } from './support/until.ts';

const value = 'zq7%Vx"\\\nsecond line of it';

const withStage = (t: TestContext): { orca: Orca; stage: string; secret: string } => {
  const orca = new Orca(t, { ORCA_RETRY_DELAY_SECONDS: '0' });
  const stage = join(orca.folder, 'stage');
  const secret = join(orca.folder, 'secret');
  writeFileSync(secret, `${value}\n`);
  return { orca, stage, secret };
};

const staged = (stage: string): string[] => (existsSync(stage) ? readdirSync(stage) : []);

const outputs = (stage: string): string[] => staged(stage).filter((name) => /\.std(out|err)$/.test(name));

/** Prints the value in pieces, and encoded; then waits for `go`. */
const script = (go: string): string =>
  `printf 'a zq'; sleep 0.2; printf '%s' "\${DB#zq}"; printf ' b\\n'; printf 'user:%s' "$DB" | base64 -w0; echo; printf 'err %s\\n' "$DB" >&2; until [ -e '${go}' ]; do sleep 0.05; done; echo end`;

test('a secret that a run prints is masked in its logs, live and afterwards; until then it is in the stage only', async (t) => {
  const { orca, stage, secret } = withStage(t);
  const env = { ORCA_LOG_STAGE: stage };
  const go = join(orca.folder, 'go');
  await orca.run(['up'], { env });
  const run = await orca.submit('--secret', `DB=file:${secret}`, '--', 'sh', '-c', script(go));
  const live = orca.start(['logs', '-f', String(run)]);
  const read = async (): Promise<string> => (await orca.run(['logs', String(run)])).stdout;
  const shown = await until(async () => {
    const text = await read();
    return text.includes('\n') && text.split('\n').length > 2 ? text : null;
  }, 'it has printed');
  assert.match(shown, /^a \*\*\* b\nd[A-Za-z0-9]+\*\*\*/);
  assert.equal(
    (await orca.run(['logs', String(run), '--stdout', '--tail', '1'])).stdout,
    shown.split('\n')[1]?.concat('\n'),
  );
  const files = outputs(stage);
  assert.equal(files.length, 2);
  const [prints = ''] = staged(stage).filter((name) => name.endsWith('.prints'));
  assert.match(readFileSync(join(stage, prints), 'utf8'), /^salt \w{32}\nDB \w{4}\nend\n$/);
  assert.equal(statSync(join(stage, prints)).mode & 0o777, 0o600);
  assert.equal(statSync(stage).mode & 0o777, 0o700);
  for (const name of files) {
    assert.equal(statSync(join(stage, name)).mode & 0o777, 0o600);
    assert.ok(readFileSync(join(stage, name), 'utf8').includes(value));
  }
  writeFileSync(go, '');
  await orca.run(['wait', String(run)]);
  assert.deepEqual(staged(stage), []);
  const { starts } = await orca.status(run);
  const log = readFileSync(starts[0]?.logs.stdout ?? '', 'utf8');
  assert.equal(log, `${shown}end\n`);
  assert.equal(readFileSync(starts[0]?.logs.stderr ?? '', 'utf8'), 'err ***\n');
  assert.equal(statSync(starts[0]?.logs.stdout ?? '').mode & 0o777, 0o600);
  const driver = join(orca.state, 'logs', '_command', String(run), 'driver.log');
  assert.equal(readFileSync(driver, 'utf8'), `${shown}end\nerr ***\n`);
  const followed = await live.ended;
  assert.deepEqual([followed.stdout, followed.stderr], [`${shown}end\n`, 'err ***\n']);
});

test('a daemon killed while such a run goes on leaves no unmasked byte: the next one has the values from the run itself', async (t) => {
  const { orca, stage, secret } = withStage(t);
  const env = { ORCA_LOG_STAGE: stage };
  const go = join(orca.folder, 'go');
  await orca.run(['up'], { env });
  const run = await orca.submit('--secret', `DB=file:${secret}`, '--', 'sh', '-c', script(go));
  await until(
    () => (staged(stage).some((name) => readFileSync(join(stage, name), 'utf8').includes('err')) ? true : null),
    'it has printed',
  );
  // What the secret is by now would mask nothing.
  writeFileSync(secret, 'another value by now');
  const pid = orca.daemonPid() ?? 0;
  await killHard(pid);
  await untilGone(pid);
  await orca.run(['up'], { env });
  assert.equal((await orca.run(['logs', String(run), '--stderr'])).stderr, 'err ***\n');
  writeFileSync(go, '');
  await orca.run(['wait', String(run)]);
  await until(() => (staged(stage).length === 0 ? true : null), 'the stage is empty');
  const { starts } = await orca.status(run);
  assert.ok(!readFileSync(starts[0]?.logs.stdout ?? '', 'utf8').includes('second line'));
  assert.equal(readFileSync(starts[0]?.logs.stderr ?? '', 'utf8'), 'err ***\n');
});

test('where nobody can read any more which secrets a run has, what it wrote is kept back and never shown as it is', async (t) => {
  const { orca, stage, secret } = withStage(t);
  const env = { ORCA_LOG_STAGE: stage };
  const go = join(orca.folder, 'go');
  await orca.run(['up'], { env });
  const run = await orca.submit('--secret', `DB=file:${secret}`, '--', 'sh', '-c', script(go));
  await until(() => (outputs(stage).length === 2 ? true : null), 'it writes');
  await orca.untilRun(run, ({ state }) => state === 'running', 'running');
  await crash(orca);
  changeStore(orca, `update runs set secrets = '{"DB":1}' where id = ${run}`);
  await orca.run(['up'], { env });
  writeFileSync(go, '');
  assert.equal((await orca.run(['wait', String(run)])).status, 0);
  const { status, stdout, stderr } = await orca.run(['logs', String(run)]);
  assert.notEqual(status, 0);
  assert.doesNotMatch(stdout, /zq7/);
  assert.match(stderr, /which secrets it has cannot be read in the store/);
  assert.equal(outputs(stage).length, 2, 'it is still in the stage');
  const { starts } = await orca.status(run);
  for (const file of [starts[0]?.logs.stdout ?? '', starts[0]?.logs.stderr ?? ''])
    assert.doesNotMatch(existsSync(file) ? readFileSync(file, 'utf8') : '', /zq7/);
});

test('output that cannot be taken into its log is taken in by the same daemon once it can be; driver.log has that of all starts once', async (t) => {
  const { orca, stage, secret } = withStage(t);
  const env = { ORCA_LOG_STAGE: stage };
  await orca.run(['up'], { env });
  const logs = join(orca.state, 'logs', '_command', '1');
  const script = `mkdir -p '${join(logs, 'driver.log')}'; echo "start $DB"; echo err >&2; exit 3`;
  const run = await orca.submit('--retries', '1', '--secret', `DB=file:${secret}`, '--', 'sh', '-c', script);
  assert.equal(run, 1);
  await orca.run(['wait', '1']);
  await until(
    () => (readFileSync(join(orca.state, 'daemon.log'), 'utf8').includes('is tried again') ? true : null),
    'it is said',
  );
  rmdirSync(join(logs, 'driver.log'));
  await until(() => (staged(stage).length === 0 ? true : null), 'the stage is empty');
  assert.equal(readFileSync(join(logs, 'driver.log'), 'utf8'), 'start ***\nerr\nstart ***\nerr\n');
  assert.equal(readFileSync(join(logs, '2.stdout'), 'utf8'), 'start ***\n');
});

test('output that cannot be taken into its log stays in the stage, and the next daemon takes it in', async (t) => {
  const { orca, stage, secret } = withStage(t);
  const env = { ORCA_LOG_STAGE: stage };
  await orca.run(['up'], { env });
  const logs = join(orca.state, 'logs', '_command', '1');
  const script = `mkdir '${join(logs, '1.stdout')}'; echo "it is $DB"`;
  const run = await orca.submit('--secret', `DB=file:${secret}`, '--', 'sh', '-c', script);
  assert.equal(run, 1);
  await orca.run(['wait', '1']);
  await until(
    () => (readFileSync(join(orca.state, 'daemon.log'), 'utf8').includes('stays there') ? true : null),
    'it is said',
  );
  assert.ok(staged(stage).some((name) => name.endsWith('.1.1.stdout')));
  assert.equal((await orca.run(['logs', '1', '--stdout'])).stdout, 'it is ***\n');
  rmdirSync(join(logs, '1.stdout'));
  await orca.run(['restart'], { env });
  await until(() => (staged(stage).length === 0 ? true : null), 'the stage is empty');
  assert.equal(readFileSync(join(logs, '1.stdout'), 'utf8'), 'it is ***\n');
});

test('a stage that is a link keeps a run with secrets from being begun, and says why; runs on control go by way of it too', async (t) => {
  const { orca, stage, secret } = withStage(t);
  const env = { ORCA_LOG_STAGE: stage };
  await orca.run(['up'], { env });
  mkdirSync(join(orca.folder, 'elsewhere'));
  symlinkSync(join(orca.folder, 'elsewhere'), stage);
  const refused = await orca.run(['run', '--secret', `DB=file:${secret}`, '--', 'true']);
  assert.equal(refused.status, 121);
  assert.match(refused.stderr, /ORCA_LOG_STAGE\) is no folder of its own/);
  const onControl = await orca.run(['run', '--placement', 'control', '--', 'true']);
  assert.equal(onControl.status, 121);
  assert.equal((await orca.run(['run', '--', 'echo', 'fine'])).stdout, 'fine\n');
});

test('where another user has the default stage a run with secrets has one beside it, whose outputs the next daemon finds', async (t) => {
  const { orca, secret } = withStage(t);
  const temporary = join(orca.folder, 'temporary');
  const uid = process.getuid?.() ?? 0;
  mkdirSync(join(temporary, 'orca-logs'), { recursive: true });
  // Only root can give it away; whoever else runs this has a stage that they made before.
  if (uid === 0) chownSync(join(temporary, 'orca-logs'), 12345, 12345);
  else mkdirSync(join(temporary, `orca-logs-${uid}`), { mode: 0o700 });
  const env = { TMPDIR: temporary, ORCA_LOG_STAGE: undefined };
  await orca.run(['up'], { env });
  const go = join(orca.folder, 'go');
  const script = `echo "it is $DB"; until [ -e '${go}' ]; do sleep 0.05; done`;
  await orca.run(['submit', '--secret', `DB=file:${secret}`, '--', 'sh', '-c', script], { env });
  await orca.untilRun(1, ({ state }) => state === 'running', 'running');
  assert.equal(outputs(join(temporary, `orca-logs-${uid}`)).length, 2);
  orca.killDaemon();
  writeFileSync(go, '');
  await orca.run(['wait', '1'], { env });
  await until(() => (staged(join(temporary, `orca-logs-${uid}`)).length === 0 ? true : null), 'the stage is empty');
  assert.equal((await orca.run(['logs', '1', '--stdout'], { env })).stdout, 'it is ***\n');
  assert.deepEqual(readdirSync(join(temporary, 'orca-logs')), []);
});

test('whoever submits is told which values are masked as whole words only, by name, and never the value', async (t) => {
  const { orca, secret } = withStage(t);
  writeFileSync(join(orca.folder, 'pin'), '8642\n');
  const secrets = ['--secret', 'PIN=file:pin', '--secret', 'PASS=env:PASS', '--secret', `DB=file:${secret}`];
  const env = { PASS: 'letmein' };
  const told = /The values of secrets PIN, PASS are short, a number or a common word/;
  const submitted = await orca.run(['submit', ...secrets, '--', 'true'], { env });
  const ran = await orca.run(['run', ...secrets, '--', 'sh', '-c', 'echo "$PIN x$PIN"'], { env });
  const again = await orca.run(['retry', submitted.stdout.trim()], { env });
  for (const { stderr, status } of [submitted, ran, again]) {
    assert.equal(status, 0, stderr);
    assert.match(stderr, told);
    assert.doesNotMatch(stderr, /8642|letmein/);
  }
  assert.equal(ran.stdout, '*** x8642\n');
  const strong = await orca.run(['submit', '--secret', `DB=file:${secret}`, '--', 'true']);
  assert.doesNotMatch(strong.stderr, /whole words/);
});
