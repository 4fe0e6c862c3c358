import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { ErrorJson, RunJson } from '../../src/wire/api.ts';
import { startSecretsManager } from '../unit/secrets/fake-secrets-manager.ts';
import { ask, linesOf, textOf } from './support/http.ts';
import { Orca, program } from './support/orca.ts';
import { plainSubmission } from './support/plain-submission.ts';
import { untilGone } from './support/processes.ts';
import { until } from './support/until.ts';

/** Nothing that an encoding or a quoting leaves as it is. */
const value = 'zq7%Vx"\\\nsecond line of it';
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const printHash = 'printf %s "$DB" | sha256sum | cut -c1-64';
/** Parts of it that any way of writing it down would show. */
const parts = [Buffer.from('zq7%Vx'), Buffer.from('second line of it')];

const opened = (t: TestContext, env: NodeJS.ProcessEnv = {}): Orca =>
  new Orca(t, { ORCA_RETRY_DELAY_SECONDS: '0', ...env });

/** Writes an executable that `ORCA_SECRET_FETCH` names. */
const fetcher = (orca: Orca, lines: string): string => {
  const file = join(orca.folder, 'fetch it');
  writeFileSync(file, `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
  return `'${file}'`;
};

const secretFile = (orca: Orca): string => {
  const file = join(orca.folder, 'db-password');
  writeFileSync(file, `${value}\n`);
  return file;
};

/** Files below a folder in which a part of the value stands. */
const filesWithIt = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true)
    .filter((file) => hasIt(file));

const commandLinesWithIt = (): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => hasIt(`/proc/${pid}/cmdline`));

const environmentHasIt = (pid: number): boolean => hasIt(`/proc/${pid}/environ`);

/** Whatever has gone by now has none. */
const hasIt = (file: string): boolean => {
  try {
    const content = readFileSync(file);
    return parts.some((part) => content.includes(part));
  } catch {
    return false;
  }
};

/** All events up to the first of that kind, as they were sent. */
const eventsUntil = async (orca: Orca, kind: string): Promise<string> => {
  let text = '';
  for await (const line of linesOf(await ask(orca.state, 'GET', '/api/events?since=0'))) {
    text += line;
    if (line.includes(`"kind":"${kind}"`)) break;
  }
  return text;
};

for (const keeper of ['auto', 'sh'] as const) {
  test(`a secret reaches the command, and is in no file, argument, record, text, event or answer of orca's (keeper ${keeper})`, async (t) => {
    const orca = opened(t, { ORCA_KEEPER: keeper });
    const go = join(orca.folder, 'go');
    const script = `${printHash}; echo "$ORCA_SECRETS"; until [ -e '${go}' ]; do sleep 0.05; done; exit 3`;
    const secrets = ['--secret', `DB=file:${secretFile(orca)}`, '--secret', 'TOKEN=env:MY_TOKEN'];
    const { stdout } = await orca.run(['submit', ...secrets, '--', 'sh', '-c', script], {
      env: { MY_TOKEN: value, DB: 'from the shell' },
    });
    const run = Number(stdout.trim());
    await orca.untilRun(run, ({ state }) => state === 'running', 'running');
    const printed = `${hashOf(value)}\nDB,TOKEN\n`;
    await until(async () => ((await orca.run(['logs', String(run)])).stdout === printed ? true : null), 'it printed');
    const { starts } = await orca.status(run);
    const pid = starts[0]?.pid ?? 0;
    assert.ok(environmentHasIt(pid));
    assert.deepEqual(
      readFileSync(`/proc/${pid}/environ`, 'utf8')
        .split('\0')
        .filter((entry) => entry.startsWith('DB=')),
      [`DB=${value}`],
    );
    assert.ok(!environmentHasIt(orca.daemonPid() ?? 0));
    for (const resident of orca.residents()) assert.ok(!environmentHasIt(resident));
    assert.deepEqual(commandLinesWithIt(), []);
    assert.deepEqual(filesWithIt(orca.state), []);
    writeFileSync(go, '');
    assert.equal((await orca.run(['wait', String(run)])).status, 3);
    const told = await Promise.all([
      orca.run(['status', String(run), '--json']),
      orca.run(['status', String(run)]),
      orca.run(['list', '--all', '--json']),
      orca.run(['logs', String(run)]),
    ]);
    const events = await eventsUntil(orca, 'finished');
    for (const text of [...told.map((one) => one.stdout + one.stderr), events])
      for (const part of parts) assert.ok(!text.includes(part.toString()), text);
    assert.deepEqual(filesWithIt(orca.state), []);
    const { secrets: ids } = await orca.status(run);
    assert.deepEqual(ids, { DB: `file:${join(orca.folder, 'db-password')}`, TOKEN: 'env:MY_TOKEN' });
  });
}

test('a secret that cannot be fetched fails the start with its id and why; --retries allows another try', async (t) => {
  const orca = opened(t);
  const tries = join(orca.folder, 'tries');
  const fetch = fetcher(orca, `echo x >>'${tries}'; echo '${value}'; [ $(wc -l <'${tries}') -gt 1 ]`);
  const env = { ORCA_SECRET_FETCH: fetch };
  const asked = ['--json', '--retries', '1', '--secret', 'DB=prod/db', '--', 'sh', '-c', printHash];
  const run = JSON.parse((await orca.run(['run', ...asked], { env })).stdout) as RunJson;
  assert.deepEqual(
    run.starts.map(({ verdict, evidence, text }) => [verdict, evidence, text]),
    [
      [
        'failed',
        'start',
        'never began: cannot fetch a secret: prod/db (for DB): the command of ORCA_SECRET_FETCH ended with exit code 1; run it by hand to see what it says',
      ],
      ['succeeded', null, 'ended well'],
    ],
  );
  assert.equal((await orca.run(['logs', String(run.id), '--stdout'])).stdout, `${hashOf(value)}\n`);
  // With the command every id goes to it, that of a file too.
  const { status } = await orca.run(['run', '--secret', 'DB=file:/no/such/file', '--', 'true']);
  assert.equal(status, 0);
  assert.equal(readFileSync(tries, 'utf8').split('\n').length - 1, 3);
  assert.deepEqual(filesWithIt(orca.state), []);
});

test('while a secret is fetched others start, and a kill ends the run at once', async (t) => {
  const orca = opened(t);
  const pid = join(orca.folder, 'pid');
  const env = { ORCA_SECRET_FETCH: fetcher(orca, `echo $$ >'${pid}'; exec sleep 100`) };
  const { stdout } = await orca.run(['submit', '--secret', 'DB=prod/db', '--', 'true'], { env });
  const run = Number(stdout.trim());
  const fetching = Number(
    await until(() => (existsSync(pid) ? readFileSync(pid, 'utf8').trim() || null : null), 'it is fetched'),
  );
  assert.equal((await orca.run(['run', '--', 'true'])).status, 0);
  const { state, reason } = await orca.status(run);
  assert.deepEqual([state, reason], ['starting', 'its secrets are being fetched']);
  await orca.run(['kill', String(run)]);
  const { status } = await orca.run(['wait', String(run)]);
  assert.equal(status, 125);
  assert.match((await orca.status(run)).text ?? '', /^killed before it was started/);
  assert.deepEqual(readdirSync(join(orca.state, 'runs')), []);
  await untilGone(fetching);
});

for (const [how, end] of [
  ['dies', (orca: Orca): void => orca.killDaemon()],
  ['is started anew', async (orca: Orca): Promise<unknown> => orca.run(['restart'])],
] as const) {
  test(`a daemon that ${how} while it fetches leaves a claim that the next one voids, and the run starts`, async (t) => {
    const orca = opened(t);
    const pid = join(orca.folder, 'pid');
    const once = `[ -e '${pid}' ] || { sleep 100 & echo $! >'${pid}'; wait; }; echo again`;
    const env = { ORCA_SECRET_FETCH: fetcher(orca, once) };
    const { stdout } = await orca.run(['submit', '--secret', 'DB=prod/db', '--', 'sh', '-c', 'echo $DB'], { env });
    const run = Number(stdout.trim());
    const fetching = Number(
      await until(() => (existsSync(pid) ? readFileSync(pid, 'utf8').trim() || null : null), 'it is fetched'),
    );
    const residents = orca.residents();
    const daemon = orca.daemonPid();
    await end(orca);
    // Nobody asks: the resident alone knows that there is work left.
    if (residents.length > 0)
      await until(() => (orca.daemonPid() === daemon ? null : true), 'the daemon was started again');
    assert.equal((await orca.run(['wait', String(run)], { env })).status, 0);
    const { starts, starts_count: begun } = await orca.status(run);
    assert.deepEqual([starts.map(({ state }) => state), begun], [['void', 'ended'], 1]);
    await untilGone(fetching, 'what was fetching');
  });
}

test("env:NAME is the submitter's: asked for at once when it is missing, forgotten with the daemon, and taken again by retry", async (t) => {
  const orca = opened(t);
  const missing = await orca.run(['run', '--secret', 'DB=env:MY_TOKEN', '--', 'true']);
  assert.equal(missing.status, 120);
  assert.match(missing.stderr, /come from the variable MY_TOKEN, but your environment has none/);
  const go = join(orca.folder, 'go');
  const script = `${printHash}; until [ -e '${go}' ]; do sleep 0.05; done; [ $ORCA_START = x ]`;
  const asked = ['submit', '--retries', '1', '--secret', 'DB=env:MY_TOKEN', '--', 'sh', '-c', script];
  const run = Number((await orca.run(asked, { env: { MY_TOKEN: value } })).stdout.trim());
  await orca.untilRun(run, ({ state }) => state === 'running', 'running');
  const daemon = orca.daemonPid() ?? 0;
  orca.killDaemon();
  await untilGone(daemon);
  await orca.run(['up']);
  writeFileSync(go, '');
  assert.equal((await orca.run(['wait', String(run)])).status, 121);
  const { text } = await orca.status(run);
  assert.match(text ?? '', /env:MY_TOKEN \(for DB\): the daemon that took the run had it in memory.*`orca retry`/);
  const again = await orca.run(['retry', String(run)], { env: { MY_TOKEN: value } });
  const next = Number(again.stdout.trim());
  await orca.run(['wait', String(next)]);
  assert.equal((await orca.run(['logs', String(next), '--stdout'])).stdout, `${hashOf(value)}\n`);
  assert.deepEqual(filesWithIt(orca.state), []);
});

test('a run inside a run gets its secrets too, one that is submitted there does not, and no file has them', async (t) => {
  const orca = opened(t);
  const inner = join(orca.folder, 'inner');
  writeFileSync(inner, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, { mode: 0o755 });
  const nested = join(orca.folder, 'nested');
  const go = join(orca.folder, 'go');
  writeFileSync(nested, `${printHash}; until [ -e '${go}' ]; do sleep 0.05; done`);
  const submitted = `echo "[$DB]"; until [ -e '${go}' ]; do sleep 0.05; done`;
  const script = `'${inner}' submit -- sh -c "$0" >&2 && '${inner}' run -- sh '${nested}'`;
  const asked = ['run', '--secret', `DB=file:${secretFile(orca)}`, '--', 'sh', '-c', script, submitted];
  const going = orca.start(asked);
  const found = await until(() => {
    const envs = existsSync(join(orca.state, 'runs')) ? readdirSync(join(orca.state, 'runs')) : [];
    return envs.includes('2.env') && envs.includes('3.env') ? filesWithIt(orca.state) : null;
  }, 'both are there');
  assert.deepEqual(found, []);
  writeFileSync(go, '');
  const { status, stdout, stderr } = await going.ended;
  assert.deepEqual([status, stdout], [0, `${hashOf(value)}\n`], stderr);
  await orca.run(['wait', '2']);
  assert.equal((await orca.run(['logs', '2', '--stdout'])).stdout, '[]\n');
});

test('what orca’s own command line would refuse is not taken from others either', async (t) => {
  const orca = opened(t);
  await orca.run(['up']);
  for (const [what, field] of [
    [{ placement: 'worker:Big' }, /placement: is none of/],
    [{ placement: 'default' }, /placement: is none of/],
    [{ secrets: { 'A B': 'prod/db' } }, /secrets: names what can be no variable of a secret/],
    [{ secrets: { ORCA_START: 'prod/db' } }, /can be no variable/],
    [{ secrets: { DB: '--help' } }, /can name no secret/],
    [{ secrets: { DB: 'a\u001b[2J' } }, /can name no secret/],
  ] as const) {
    const body = { ...plainSubmission('a token', ['true']), ...what };
    const answer = await ask(orca.state, 'POST', '/api/runs', { body, headers: { 'orca-api': '1' } });
    assert.equal(answer.status, 400);
    assert.match((JSON.parse(await textOf(answer)) as ErrorJson).error.message, field);
  }
});

test('a secret comes from Secrets Manager where its endpoint says', async (t) => {
  const fake = await startSecretsManager(t, { 'prod/db': [{ text: value }] });
  const orca = opened(t, {
    ORCA_SECRETS_ENDPOINT: fake.endpoint,
    AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
    AWS_SECRET_ACCESS_KEY: 'an-example-key',
    AWS_REGION: 'eu-west-1',
  });
  const { status, stdout, stderr } = await orca.run(['run', '--secret', 'DB=prod/db', '--', 'sh', '-c', printHash]);
  assert.deepEqual([status, stdout], [0, `${hashOf(value)}\n`], stderr);
  const absent = await orca.run(['run', '--secret', 'DB=prod/none', '--', 'true']);
  assert.equal(absent.status, 121);
  assert.match(absent.stderr, /prod\/none \(for DB\): .*ResourceNotFoundException/);
});

test('without the client of Secrets Manager the run says what to install', async (t) => {
  const orca = opened(t);
  // A build away from any packages, as that of a tarball is.
  const alone = join(orca.folder, 'alone');
  cpSync(realpathSync(dirname(program)), alone, { recursive: true });
  const away = { program: join(alone, 'main.js') };
  const { status, stderr } = await orca.run(['run', '--secret', 'DB=prod/db', '--', 'true'], away);
  assert.equal(status, 121);
  assert.match(stderr, /prod\/db \(for DB\): the package .* \(npm install -g @aws-sdk\/client-secrets-manager\)/);
});
