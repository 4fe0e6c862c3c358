import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { RunJson } from '../../src/wire/api.ts';
import { compileHog } from './support/hog.ts';
import { Orca, type Ended } from './support/orca.ts';
import { until } from './support/until.ts';

const orca = new Orca({ after }, { ORCA_RETRY_DELAY_SECONDS: '0', ORCA_USAGE_INTERVAL_MS: '50' });
const hog = compileHog(orca.folder);

const fileOf = (name: string, content: string | Buffer, mode = 0o644): string => {
  const file = join(orca.folder, name);
  writeFileSync(file, content);
  chmodSync(file, mode);
  return file;
};

/** A script that runs `body` in every start, with the start's number in $n, and fails unless it is start `last`. */
const failingBefore = (name: string, last: number, body: string): string => {
  const count = join(orca.folder, `${name}.count`);
  const lines = [`n=$(($(cat '${count}' 2>/dev/null || echo 0) + 1))`, `echo $n > '${count}'`, body];
  return fileOf(name, `#!/bin/sh\n${[...lines, `[ $n -eq ${last} ]`].join('\n')}\n`, 0o755);
};

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

test('run passes output and the exit code of a command on', async () => {
  const { status, stdout, stderr } = await orca.run(['run', '--', 'sh', '-c', 'echo out; echo err >&2; exit 3']);
  assert.equal(stdout, 'out\n');
  assert.match(stderr, /^err\n/);
  assert.equal(status, 3);
});

test('every end has one exit status, the same for run and for wait', { concurrency: 4 }, async (t) => {
  const script = (text: string): string[] => ['--', 'sh', '-c', text];
  const noInterpreter = fileOf('no-interpreter', '#!/no/such/interpreter\n', 0o755);
  const ends: readonly { how: string; args: readonly string[]; status: number }[] = [
    { how: 'exit code 0', args: script('exit 0'), status: 0 },
    { how: 'exit code 1', args: script('exit 1'), status: 1 },
    { how: 'exit code 96, the highest of its own', args: script('exit 96'), status: 96 },
    { how: 'exit code 97, which has another meaning', args: script('exit 97'), status: 98 },
    { how: 'exit code 125, which has another meaning', args: script('exit 125'), status: 98 },
    { how: 'exit code 255', args: script('exit 255'), status: 98 },
    { how: 'a signal', args: script('kill -SEGV $$'), status: 98 },
    { how: 'SIGKILL from elsewhere', args: script('kill -KILL $$'), status: 98 },
    { how: 'its time limit', args: ['--timeout', '200ms', ...script('sleep 60')], status: 97 },
    { how: 'too little memory', args: ['--memory', '20MB', '--', hog, 'hold', '60', '20000'], status: 99 },
    { how: 'an interpreter that is missing', args: ['--', noInterpreter], status: 121 },
  ];
  await Promise.all(
    ends.map(({ how, args, status }) =>
      t.test(`${status} for ${how}`, async () => {
        const waitFor = async (): Promise<Ended> => orca.run(['wait', '--json', String(await orca.submit(...args))]);
        const [ran, waited] = await Promise.all([orca.run(['run', ...args]), waitFor()]);
        assert.equal(ran.status, status, ran.stderr);
        assert.equal(waited.status, status, waited.stderr);
        assert.equal((JSON.parse(waited.stdout) as RunJson).exit_status, status);
      }),
    ),
  );
});

test('the real code or signal is in the text and the JSON where the exit status cannot hold it', async () => {
  const high = await orca.run(['run', '--', 'sh', '-c', 'exit 200']);
  assert.match(high.stderr, /exit code 200/);
  const signalled = await orca.run(['run', '--json', '--', 'sh', '-c', 'kill -SEGV $$']);
  const told = JSON.parse(signalled.stdout) as RunJson;
  assert.deepEqual([told.exit_code, told.signal, told.exit_status], [null, 11, 98]);
  assert.match(told.text ?? '', /SIGSEGV/);
});

test('a command that is gone when its turn comes ends with 121, and the text says what is missing', async () => {
  const program = fileOf('soon-gone', '#!/bin/sh\n', 0o755);
  await orca.run(['down']);
  const gone = await orca.submit('--', program);
  rmSync(program);
  await orca.run(['up']);
  const { status, stderr } = await orca.run(['wait', String(gone)]);
  assert.equal(status, 121);
  assert.match(stderr, /cannot execute .*soon-gone.*ENOENT/);
});

test('wait leaves with 124 at its own time limit, and with 127 for a run that does not exist', async () => {
  const run = await orca.submit('--', 'sleep', '60');
  const late = await orca.run(['wait', '--timeout', '100ms', String(run)]);
  assert.equal(late.status, 124);
  assert.match(late.stderr, new RegExp(`orca wait ${run}`));
  assert.equal((await orca.run(['kill', '--now', String(run)])).status, 0);
  assert.equal((await orca.run(['wait', String(run)])).status, 125);
  const unknown = await orca.run(['wait', '999999']);
  assert.equal(unknown.status, 127);
  assert.match(unknown.stderr, /There is no run 999999/);
});

test('wait on several exits as the first, in the order given, that did not succeed', async () => {
  const runs = await Promise.all(
    ['exit 0', 'sleep 0.3; exit 4', 'exit 5'].map((text) => orca.submit('--', 'sh', '-c', text)),
  );
  assert.equal((await orca.run(['wait', ...runs.map(String)])).status, 4);
});

test('standard output to a pipe is the final start alone, when a second start is possible', async () => {
  const program = failingBefore('thrice', 3, 'echo "start $n"; echo "err $n" >&2');
  const { status, stdout, stderr } = await orca.run(['run', '--retries', '2', '--', program]);
  assert.equal(status, 0);
  assert.equal(stdout, 'start 3\n');
  assert.match(stderr, /err 1\n[^]*err 2\n[^]*err 3\n/, 'standard error is of all starts');
});

test('standard output of a start that failed last is passed on whole', async () => {
  const program = failingBefore('never', 99, 'echo "start $n"');
  const { status, stdout } = await orca.run(['run', '--retries', '1', '--', program]);
  assert.equal(status, 1);
  assert.equal(stdout, 'start 2\n');
});

test('with --live every start writes to standard output as it comes', async () => {
  const program = failingBefore('live', 2, 'echo "start $n"');
  const { stdout } = await orca.run(['run', '--live', '--retries', '1', '--', program]);
  assert.equal(stdout, 'start 1\nstart 2\n');
});

test('a command that outgrew its memory leaves exactly the last start’s bytes in the file', async () => {
  const program = failingBefore(
    'outgrows',
    3,
    `seq 1 20000; [ $n -eq 3 ] || ms=20000; '${hog}' hold 60 \${ms-100} || exit 9`,
  );
  const written = join(orca.folder, 'outgrows.out');
  const file = openSync(written, 'w');
  const { status, stderr } = await orca.run(['run', '--memory', '30MB..200MB', '--', program], { stdout: file });
  closeSync(file);
  assert.equal(status, 0, stderr);
  const lines = Array.from({ length: 20000 }, (_, index) => `${index + 1}\n`).join('');
  assert.equal(readFileSync(written, 'utf8'), lines);
});

test('output and errors come while the command runs, when it is started only once', async () => {
  const go = join(orca.folder, 'go');
  const { child, ended } = orca.start([
    'run',
    '--',
    'sh',
    '-c',
    `echo now; echo bad >&2; while [ ! -e '${go}' ]; do sleep 0.02; done`,
  ]);
  const seen = { stdout: '', stderr: '' };
  child.stdout?.on('data', (piece: Buffer) => (seen.stdout += piece.toString()));
  child.stderr?.on('data', (piece: Buffer) => (seen.stderr += piece.toString()));
  await until(() => (seen.stdout === 'now\n' && seen.stderr === 'bad\n' ? true : null), 'both are passed on');
  writeFileSync(go, '');
  assert.equal((await ended).status, 0);
});

test('standard error comes at once also where a second start is possible, and standard output does not', async () => {
  const go = join(orca.folder, 'go-again');
  const body = `echo now; echo bad >&2; while [ ! -e '${go}' ]; do sleep 0.02; done`;
  const { child, ended } = orca.start(['run', '--retries', '1', '--', 'sh', '-c', body]);
  const seen = { stdout: '', stderr: '' };
  child.stdout?.on('data', (piece: Buffer) => (seen.stdout += piece.toString()));
  child.stderr?.on('data', (piece: Buffer) => (seen.stderr += piece.toString()));
  await until(() => (seen.stderr === 'bad\n' ? true : null), 'standard error is passed on');
  assert.equal(seen.stdout, '');
  writeFileSync(go, '');
  assert.equal((await ended).stdout, 'now\n');
});

test('20 MB of random bytes come through a pipe as they are, also to a slow reader', async () => {
  const content = randomBytes(20 * 1048576);
  const big = fileOf('big', content);
  const [atOnce, held, slow] = await Promise.all([
    orca.run(['run', '--', 'cat', big]),
    orca.run(['run', '--retries', '1', '--', 'cat', big]),
    orca.shell(`orca run -- cat '${big}' | { sleep 1; head -c 1000000; sleep 0.5; cat; } | sha256sum`),
  ]);
  assert.equal(sha256(atOnce.bytes), sha256(content));
  assert.equal(sha256(held.bytes), sha256(content));
  assert.equal(slow.stdout.slice(0, 64), sha256(content));
});

test('a reader that has enough ends the run, and the record says so', async () => {
  const line = `orca run --name enough -- sh -c 'while :; do echo line; sleep 0.02; done' | head -n 1; echo "status $PIPESTATUS"`;
  const { stdout } = await orca.shell(line);
  assert.match(stdout, /^line\nstatus (125|141)\n$/);
  const { runs } = JSON.parse((await orca.run(['list', '--all', '--json'])).stdout) as { runs: RunJson[] };
  const run = runs.find(({ name }) => name === 'enough');
  assert.equal(run?.state, 'killed');
  assert.match(run?.text ?? '', /closed output of orca run/);
});

test('a reader that has left also ends a run whose output is kept back until it is known which start is the last', async () => {
  const { stdout } = await orca.shell(
    'orca run --memory 64MB..256MB --name kept-back -- sleep 300 | true; echo "status $PIPESTATUS"',
  );
  assert.equal(stdout, 'status 125\n');
  const { runs } = JSON.parse((await orca.run(['list', '--all', '--json'])).stdout) as { runs: RunJson[] };
  assert.match(runs.find(({ name }) => name === 'kept-back')?.text ?? '', /closed output of orca run/);
});

test('a file on standard input is opened again for every start', async () => {
  const input = fileOf('input', 'one\ntwo\n');
  const program = failingBefore('reads-file', 2, 'cat');
  const descriptor = openSync(input, 'r');
  const { status, stdout } = await orca.run(['run', '--live', '--retries', '1', '--', program], { stdin: descriptor });
  closeSync(descriptor);
  assert.equal(status, 0);
  assert.equal(stdout, 'one\ntwo\none\ntwo\n');
});

test('a file named with --stdin is read by run and by submit', async () => {
  const input = fileOf('named-input', 'named\n');
  assert.equal((await orca.run(['run', '--stdin', input, '--', 'cat'])).stdout, 'named\n');
  const run = await orca.submit('--stdin', input, '--', 'cat');
  await orca.run(['wait', String(run)]);
  assert.equal((await orca.run(['logs', '--stdout', String(run)])).stdout, 'named\n');
});

test('a pipe on standard input is given whole to each start, and its copy goes with the run', async () => {
  const program = failingBefore('reads-pipe', 2, 'sha256sum');
  const input = randomBytes(3 * 1048576);
  const { status, stdout } = await orca.run(['run', '--live', '--retries', '1', '--', program], { input });
  assert.equal(status, 0);
  assert.equal(stdout, `${sha256(input)}  -\n`.repeat(2));
  await until(
    () => (readdirSync(join(orca.state, 'runs')).some((name) => name.includes('stdin')) ? null : true),
    'no copy is left',
  );
});

test('a command with nothing on standard input reads its end at once', async () => {
  assert.equal((await orca.run(['run', '--', 'wc', '-c'])).stdout.trim(), '0');
  assert.equal(
    (await orca.run(['run', '--stdin', 'none', '--', 'wc', '-c'], { input: 'not this' })).stdout.trim(),
    '0',
  );
});

test('arguments arrive as they were given, however odd', async () => {
  const odd = [
    'two words',
    'new\nline',
    '',
    "it's",
    '"quoted"',
    '$HOME',
    '`id`',
    '--',
    '-x',
    '--json',
    '*',
    '\\',
    '\u{1f40b}',
    '\x1b[31m',
  ];
  const { stdout } = await orca.run(['run', '--', 'sh', '-c', 'printf "%s\\0" "$@"', 'sh', ...odd]);
  assert.deepEqual(stdout.split('\0').slice(0, -1), odd);
});

test('options after the command are the command’s own, also without --', async () => {
  const { status, stdout } = await orca.run(['run', 'echo', '--memory', '12Q', '-n', '--', 'x']);
  assert.equal(status, 0);
  assert.equal(stdout, '--memory 12Q -n -- x\n');
});

test('a program and a folder may have any name', async () => {
  const folder = join(orca.folder, 'a folder\nof "two" lines');
  mkdirSync(folder);
  const program = join(folder, "it's a program\n");
  writeFileSync(program, '#!/bin/sh\npwd\n', { mode: 0o755 });
  const { status, stdout } = await orca.run(['run', '--cwd', folder, '--', program]);
  assert.equal(status, 0);
  assert.equal(stdout, `${folder}\n`);
});

test('an argument of 100 kB arrives whole', async () => {
  const long = 'x'.repeat(100_000);
  const { stdout } = await orca.run(['run', '--', 'printf', '%s', long]);
  assert.equal(stdout === long, true);
});

test('the command has the caller’s folder, environment and umask, changed by --cwd and --env', async () => {
  mkdirSync(join(orca.folder, 'elsewhere'));
  const ask = `sh -c 'echo "$PWD|$MINE|$GIVEN|$EMPTY|\${DROPPED-unset}"; umask'`;
  const env = { MINE: 'of the caller', GIVEN: 'old' };
  const { stdout } = await orca.shell(
    `umask 027; orca run --cwd elsewhere --env GIVEN='a = b' --env EMPTY= -- ${ask}`,
    { env },
  );
  assert.equal(stdout, `${orca.folder}/elsewhere|of the caller|a = b||unset\n0027\n`);
  assert.equal((await orca.run(['run', '--', 'pwd'])).stdout, `${orca.folder}\n`);
});

test('the command learns its run, its start, its memory and its cpus from its environment', async () => {
  const ask = 'echo "$ORCA_RUN_ID|$ORCA_START|$ORCA_MEMORY_MB|$ORCA_CPUS"';
  const env = { ORCA_START: 'of another run', ORCA_MEMORY_MB: '1' };
  const { stdout } = await orca.run(['run', '--memory', '64MB', '--cpus', '0.5', '--', 'sh', '-c', ask], { env });
  assert.match(stdout, /^\d+\|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\|64\|0\.5\n$/);
});

test('run --json prints how it ended and nothing else', async () => {
  const { status, stdout } = await orca.run(['run', '--json', '--name', 'told', '--', 'sh', '-c', 'echo out; exit 7']);
  assert.equal(status, 7);
  const told = JSON.parse(stdout) as RunJson;
  assert.equal(told.name, 'told');
  assert.equal(told.state, 'failed');
  assert.deepEqual([told.exit_code, told.exit_status, told.starts_count], [7, 7, 1]);
  assert.equal(readFileSync(told.starts[0]?.logs.stdout ?? '', 'utf8'), 'out\n');
  assert.equal(existsSync(join(orca.state, 'runs', `${told.id}.env`)), false, 'its environment is not kept');
});
