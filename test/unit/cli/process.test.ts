import assert from 'node:assert/strict';
import { execFileSync, spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import {
  closeSync,
  constants,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import type { StdinRequest } from '../../../src/wire/api.ts';
import { FakeDaemon, ndjson, temporaryState, type Answer } from '../client/fake-daemon.ts';
import { buildRun, buildStart } from './build-run.ts';

const main = join(import.meta.dirname, '../../../src/cli/main.ts');

/** The program itself, as a shell starts it. */
function orca(
  t: TestContext,
  state: string,
  args: readonly string[],
  stdio: StdioOptions = ['ignore', 'pipe', 'pipe'],
): ChildProcess {
  const child = spawn(process.execPath, [main, ...args], { stdio, env: { PATH: '/usr/bin:/bin', ORCA_HOME: state } });
  t.after(() => child.kill('SIGKILL'));
  return child;
}

async function ended(child: ChildProcess): Promise<{ code: number | null; out: string; err: string }> {
  const exit = once(child, 'close');
  const [out, err] = await Promise.all([
    child.stdout === null ? '' : text(child.stdout),
    child.stderr === null ? '' : text(child.stderr),
  ]);
  const [code] = (await exit) as [number | null];
  return { code, out, err };
}

interface Story {
  readonly log?: Answer['pieces'];
  /** Until when the wait goes on. */
  readonly until?: Promise<unknown>;
  readonly exit?: number;
}

/** A daemon with one run, 12, whose standard output is the log. */
async function daemonWith(
  t: TestContext,
  { log = [], until = Promise.resolve(), exit = 0 }: Story,
): Promise<FakeDaemon> {
  const state = exit === 0 ? 'succeeded' : 'killed';
  const running = buildRun({
    state: 'running',
    exit_status: null,
    starts: [buildStart({ state: 'running', verdict: null })],
  });
  return FakeDaemon.start(t, temporaryState(t), ({ path, query }) => {
    if (path === '/api/runs') return { json: { runs: [12] } };
    if (path === '/api/kill') return { json: { runs: [] } };
    if (path.endsWith('/logs')) return { pieces: query.get('stream') === 'stdout' ? log : [] };
    if (path !== '/api/wait') return { json: {} };
    async function* events(): AsyncGenerator<string> {
      yield* ndjson({ type: 'run', run: running });
      await until;
      yield* ndjson({ type: 'run', run: buildRun({ state, exit_status: exit, text: 'as told' }) }, { type: 'end' });
    }
    return { pieces: events() };
  });
}

const stdinOf = (daemon: FakeDaemon): StdinRequest => daemon.bodyFor<{ stdin: StdinRequest }>('/api/runs').stdin;

test('the version needs neither settings nor a state folder', async (t) => {
  const { code, out, err } = await ended(orca(t, '/proc/none', ['--version']));
  assert.equal(code, 0);
  assert.match(out, /^\d+\.\d+\.\d+\n$/);
  assert.equal(err, '');
});

test('the bytes of a run pass through as they are, all of them, to a reader that begins late', async (t) => {
  const block = Buffer.alloc(200_000, Buffer.from([0, 255, 10, 13, 27]));
  const daemon = await daemonWith(t, { log: [block, block, block] });
  const child = orca(t, daemon.state, ['run', '--stdin', 'none', 'x']);
  while (daemon.for('/api/runs/12/logs').length < 2) await new Promise((done) => setTimeout(done, 10));
  const chunks: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
  const [code] = (await once(child, 'close')) as [number];
  assert.equal(code, 0);
  assert.ok(Buffer.concat(chunks).equals(Buffer.concat([block, block, block])));
});

test('the bytes of a run pass whole through a shell’s pipe', async (t) => {
  const block = Buffer.alloc(300_000, 'orca\n');
  const daemon = await daemonWith(t, { log: [block, block] });
  const script = `"${process.execPath}" "${main}" run --stdin none x | wc -c`;
  const { out } = await ended(spawn('sh', ['-c', script], { env: { PATH: '/usr/bin:/bin', ORCA_HOME: daemon.state } }));
  assert.equal(Number(out), 600_000);
});

test('an interrupt is heard while the reader of our pipe is stuck, and once the run is over we do not wait for the reader', async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const daemon = await daemonWith(t, { log: [Buffer.alloc(1_000_000)], until: promise, exit: 125 });
  const fifo = join(daemon.state, 'fifo');
  execFileSync('mkfifo', [fifo]);
  // Open at both ends, and read by nobody.
  const held = openSync(fifo, constants.O_RDWR);
  t.after(() => closeSync(held));
  const child = orca(t, daemon.state, ['run', '--stdin', 'none', 'x'], ['ignore', held, 'pipe']);
  while (daemon.for('/api/runs/12/logs').length < 2) await new Promise((done) => setTimeout(done, 10));
  child.kill('SIGINT');
  while (daemon.for('/api/kill').length === 0) await new Promise((done) => setTimeout(done, 10));
  resolve();
  assert.equal((await ended(child)).code, 125);
});

test('a full disk under our output is told, with how to get the output again', async (t) => {
  const daemon = await daemonWith(t, { log: ['some output\n'] });
  const { code, err } = await ended(
    orca(t, daemon.state, ['run', '--stdin', 'none', 'x'], ['ignore', openSync('/dev/full', 'w'), 'pipe']),
  );
  assert.equal(code, 122);
  assert.match(
    err,
    /^orca: Standard output could not be written: no space left on device\.\n {2}The whole output is kept/,
  );
});

test('a reader that closes early stops the run, quietly', async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  async function* endless(): AsyncGenerator<string> {
    for (;;) {
      yield 'y\n'.repeat(1000);
      await new Promise((done) => setImmediate(done));
    }
  }
  const daemon = await daemonWith(t, { log: endless(), until: promise, exit: 125 });
  const child = orca(t, daemon.state, ['run', '--stdin', 'none', 'x']);
  child.stdout?.once('data', () => child.stdout?.destroy());
  while (daemon.for('/api/kill').length === 0) await new Promise((done) => setTimeout(done, 10));
  resolve();
  const [code] = (await once(child, 'close')) as [number];
  assert.equal(code, 125);
  assert.equal(daemon.bodyFor<{ by: string }>('/api/kill').by, 'closed output of orca run');
});

test('a pipe is kept whole in a file of the caller’s only, which the daemon takes over', async (t) => {
  const daemon = await daemonWith(t, {});
  const child = orca(t, daemon.state, ['run', 'x'], 'pipe');
  child.stdin?.write('first ');
  child.stdin?.end('second');
  assert.equal((await ended(child)).code, 0);
  const stdin = stdinOf(daemon);
  assert.ok(stdin.kind === 'spool');
  assert.match(stdin.path, new RegExp(`^${daemon.state}/runs/spool-[0-9a-f-]+\\.stdin$`));
  assert.equal(readFileSync(stdin.path, 'utf8'), 'first second');
  assert.equal(statSync(stdin.path).mode & 0o777, 0o600);
});

test('an interrupt while a pipe is read leaves nothing behind and submits nothing', async (t) => {
  const daemon = await daemonWith(t, {});
  const child = orca(t, daemon.state, ['run', 'x'], 'pipe');
  child.stdin?.write('begun');
  const runs = join(daemon.state, 'runs');
  const spooled = (): string[] => (statSync(runs, { throwIfNoEntry: false }) === undefined ? [] : readdirSync(runs));
  while (spooled().length === 0) await new Promise((done) => setTimeout(done, 10));
  child.kill('SIGINT');
  assert.equal((await ended(child)).code, 125);
  assert.deepEqual(spooled(), []);
  assert.equal(daemon.for('/api/runs').length, 0);
});

test('a silent pipe is waited for, and the person is told what for', async (t) => {
  const daemon = await daemonWith(t, {});
  const child = orca(t, daemon.state, ['run', 'x'], 'pipe');
  const [line] = (await once(child.stderr ?? child, 'data')) as [Buffer];
  assert.match(line.toString(), /reading standard input to its end .* `--stdin none`/);
  child.stdin?.end();
  assert.equal((await ended(child)).code, 0);
});

test('a file is named, so that each start reads it anew', async (t) => {
  const daemon = await daemonWith(t, {});
  const file = join(daemon.state, 'in put');
  writeFileSync(file, 'x');
  await ended(orca(t, daemon.state, ['run', 'x'], [openSync(file, 'r'), 'pipe', 'pipe']));
  assert.deepEqual(stdinOf(daemon), { kind: 'file', path: file });
});

test('a file without a name any more is read like a pipe', async (t) => {
  const daemon = await daemonWith(t, {});
  const file = join(daemon.state, 'gone');
  writeFileSync(file, 'still here');
  const fd = openSync(file, 'r');
  unlinkSync(file);
  await ended(orca(t, daemon.state, ['run', 'x'], [fd, 'pipe', 'pipe']));
  const stdin = stdinOf(daemon);
  assert.ok(stdin.kind === 'spool');
  assert.equal(readFileSync(stdin.path, 'utf8'), 'still here');
});

test('a file that was read in part goes on from there', async (t) => {
  const daemon = await daemonWith(t, {});
  const file = join(daemon.state, 'lines');
  writeFileSync(file, 'one\ntwo\n');
  // The shell takes the first line, as a script that reads a header does.
  const script = `{ read first; exec "${process.execPath}" "${main}" run x; } < "${file}"`;
  const child = spawn('sh', ['-c', script], { env: { PATH: '/usr/bin:/bin', ORCA_HOME: daemon.state } });
  assert.equal((await ended(child)).code, 0);
  const stdin = stdinOf(daemon);
  assert.ok(stdin.kind === 'spool');
  assert.equal(readFileSync(stdin.path, 'utf8'), 'two\n');
});

test('nothing to read is nothing', async (t) => {
  const daemon = await daemonWith(t, {});
  await ended(orca(t, daemon.state, ['run', 'x']));
  assert.deepEqual(stdinOf(daemon), { kind: 'null' });
});

test('an error is two lines without a stack, or one object with --json', async (t) => {
  const state = temporaryState(t);
  const plain = await ended(orca(t, state, ['kill', 'twelve']));
  assert.equal(plain.code, 120);
  assert.equal(plain.err.split('\n').length, 3);
  assert.doesNotMatch(plain.err, /\n\s+at /);
  const json = await ended(orca(t, state, ['kill', '--json', 'twelve']));
  assert.deepEqual(Object.keys((JSON.parse(json.err) as { error: object }).error), ['code', 'message', 'hint', 'exit']);
});

test('an argument whose bytes are no text is refused', async (t) => {
  const state = temporaryState(t);
  const script = `exec "${process.execPath}" "${main}" run echo "$(printf 'caf\\351')"`;
  const { code, err } = await ended(spawn('sh', ['-c', script], { env: { PATH: '/usr/bin:/bin', ORCA_HOME: state } }));
  assert.equal(code, 120);
  assert.match(err, /not valid UTF-8/);
});

test('help and version that cannot be written are told like any output', async (t) => {
  for (const args of [['--version'], ['--help'], ['help', 'run'], ['config', 'show']]) {
    const full = openSync('/dev/full', 'w');
    const { code, err } = await ended(orca(t, temporaryState(t), args, ['ignore', full, 'pipe']));
    closeSync(full);
    assert.equal(code, 122, args.join(' '));
    assert.match(err, /^orca: Standard output could not be written: no space left on device\.\n {2}[^\n]+\n$/);
    assert.doesNotMatch(err, /\bID\b/);
  }
});

test('a value of an option whose bytes are no text is refused, and so is a folder of such a name; a variable is named', async (t) => {
  const daemon = await daemonWith(t, {});
  const inShell = (script: string) =>
    ended(spawn('sh', ['-c', script], { env: { PATH: '/usr/bin:/bin', ORCA_HOME: daemon.state } }));
  const program = `"${process.execPath}" "${main}"`;
  const bad = '"$(printf \'caf\\351\')"';
  for (const typed of [`--name ${bad}`, `--env A=${bad}`, `--cwd ${bad}`, `--stdin ${bad}`]) {
    const { code, err } = await inShell(`exec ${program} submit ${typed} true`);
    assert.equal(code, 120, typed);
    assert.match(err, /^orca: The argument [^ ]*caf\\xe9 is not valid UTF-8/);
  }
  const folder = await inShell(`cd "${daemon.state}" && mkdir ${bad} && cd ${bad} && exec ${program} submit true`);
  assert.match(folder.err, /The name of the current folder, .*caf\\xe9, is not valid UTF-8/);
  const variable = await inShell(`WHERE=${bad}; export WHERE; exec ${program} submit true`);
  assert.deepEqual([variable.code, variable.out], [0, '12\n']);
  assert.equal(variable.err, 'orca: of the environment, WHERE is not valid UTF-8: it is passed on changed\n');
});

test('a folder that is gone is no hindrance to what needs none', async (t) => {
  const daemon = await daemonWith(t, {});
  const inGone = (args: string) => {
    const gone = `cd "${daemon.state}" && mkdir gone && cd gone && rmdir ../gone && exec "${process.execPath}" "${main}"`;
    return ended(spawn('sh', ['-c', `${gone} ${args}`], { env: { PATH: '/usr/bin:/bin', ORCA_HOME: daemon.state } }));
  };
  assert.deepEqual(await inGone('submit --cwd / true'), { code: 0, out: '12\n', err: '' });
  const refused = await inGone('submit true');
  assert.equal(refused.code, 120);
  assert.match(refused.err, /^orca: The folder you are in is gone\.\n {2}cd to one that is there, or give --cwd/);
});
