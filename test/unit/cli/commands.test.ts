import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Context } from '../../../src/cli/context.ts';
import { configShow } from '../../../src/cli/config-show.ts';
import { down } from '../../../src/cli/down.ts';
import { kill } from '../../../src/cli/kill.ts';
import { list, moreWords } from '../../../src/cli/list.ts';
import { logs } from '../../../src/cli/logs.ts';
import { restart } from '../../../src/cli/restart.ts';
import { retry } from '../../../src/cli/retry.ts';
import { status } from '../../../src/cli/status.ts';
import { submit } from '../../../src/cli/submit.ts';
import { top } from '../../../src/cli/top.ts';
import { wait } from '../../../src/cli/wait.ts';
import { FakeDaemon, hastyClock, holdLock, ndjson, temporaryState, type Handler } from '../client/fake-daemon.ts';
import { buildNow, buildRun, buildStart } from './build-run.ts';
import { fakeContext, MemoryOutput, type FakeContext } from './fake-context.ts';

type Test = Parameters<typeof FakeDaemon.start>[0] & Parameters<typeof temporaryState>[0];

async function setUp(
  t: Test,
  handler: Handler,
  options: { out?: MemoryOutput; err?: MemoryOutput; env?: Record<string, string> } = {},
): Promise<{ daemon: FakeDaemon; context: FakeContext }> {
  const state = temporaryState(t);
  return { daemon: await FakeDaemon.start(t, state, handler), context: fakeContext({ state, ...options }) };
}

const failed = (id: number, code: number) =>
  buildRun({
    id,
    state: 'failed',
    text: `exit code ${code}`,
    exit_code: code,
    exit_status: code,
    starts: [buildStart({ verdict: 'failed', text: `exit code ${code}`, exit_code: code })],
  });

const waiting =
  (...runs: ReturnType<typeof buildRun>[]): Handler =>
  ({ path, query }) => {
    if (path === '/api/wait') return { pieces: ndjson(...runs.map((run) => ({ type: 'run', run })), { type: 'end' }) };
    if (path.endsWith('/logs')) return { pieces: query.get('stream') === 'stderr' ? ['one\n', 'two\x1b[2J\n'] : [] };
    return undefined;
  };

test('submit prints the numbers only, and belongs to nobody', async (t) => {
  const { daemon, context } = await setUp(t, () => ({ json: { runs: [7] } }));
  assert.equal(await submit(context, ['sleep', '20'], {}), 0);
  assert.equal(context.out.text, '7\n');
  assert.equal(context.err.text, '');
  const body = daemon.for('/api/runs')[0]?.body as { owner: unknown; stdin: unknown; token: unknown };
  assert.deepEqual([body.owner, body.stdin, body.token], [null, { kind: 'null' }, 'token-1.0']);
});

test('submit tells once that the work of its commands is outside', async (t) => {
  const { context } = await setUp(t, () => ({ json: { runs: [7, 8] } }));
  const file = join(temporaryState(t), 'lines');
  writeFileSync(file, 'a\nb\n');
  await submit(context, ['ssh', 'box', 'make', '{}'], { eachLine: file });
  assert.match(context.err.text, /^orca: ssh has its work done outside of the run, .*\n$/);
});

for (const [what, options] of [
  ['', {}],
  [' --json', { json: true }],
] as const) {
  test(`submit${what} tells the numbers of accepted runs by another way when they cannot be printed`, async (t) => {
    for (const [out, why] of [
      [new MemoryOutput({ closeAfter: 0 }), 'its reader has closed it'],
      [new MemoryOutput({ fault: 'ENOSPC' }), 'no space left on device'],
    ] as const) {
      const { context } = await setUp(t, () => ({ json: { runs: [7, 8, 9, 12] } }), { out });
      await assert.rejects(submit(context, ['true'], options), {
        code: 'accepted-unprinted',
        exitStatus: 122,
        message: `Runs 7 to 9, 12 are accepted, but standard output could not be written: ${why}.`,
        hint: '`orca wait 7 8 9 12` waits for the end.',
      });
      await assert.rejects(retry(context, '3', options), { code: 'accepted-unprinted' });
    }
  });
}

test('submit --wait waits for runs whose numbers could not be printed, and tells them', async (t) => {
  const handler = waiting(buildRun({ id: 7 }));
  const out = new MemoryOutput({ fault: 'ENOSPC' });
  const { context } = await setUp(
    t,
    (asked) => (asked.path === '/api/runs' ? { json: { runs: [7] } } : handler(asked)),
    {
      out,
    },
  );
  assert.equal(await submit(context, ['true'], { wait: true }), 0);
  assert.match(context.err.text, /^orca: Run 7 is accepted, but/);
});

test('a batch that is refused tells which runs were accepted before it', async (t) => {
  const error = { code: 'internal', message: 'No.', hint: 'None.', exit: 122 };
  const { daemon, context } = await setUp(t, ({ body }) => {
    const { commands } = body as { commands: string[][] };
    return commands.length === 1
      ? { status: 500, json: { error } }
      : { json: { runs: commands.map((_, at) => at + 1) } };
  });
  const file = join(daemon.state, 'lines');
  writeFileSync(file, 'line\n'.repeat(1001));
  await assert.rejects(submit(context, ['echo'], { eachLine: file, json: true }), { exitStatus: 122 });
  assert.equal(context.err.text, 'orca: accepted before this: 1 to 1000\n');
});

test('variables that are not UTF-8 are passed on changed, which is said; those given anew are not named', async (t) => {
  const env = { A: '\uFFFD', B: '\uFFFD', C: '\uFFFD', D: '\uFFFD', E: '\uFFFD', F: '\uFFFD', OK: '\uFFFD' };
  const raw = Buffer.from('A=\xff\0B=\xff\0C=\xff\0D=\xff\0E=\xff\0F=\xff\0OK=', 'latin1');
  const { context } = await setUp(t, () => ({ json: { runs: [7] } }), { env });
  const rawEnvironment = () => Buffer.concat([raw, Buffer.from('\uFFFD\0')]);
  await submit({ ...context, rawEnvironment }, ['true'], { env: ['B=b', 'C=c\uFFFD'] });
  const first = 'orca: of the environment, A, D, E and 1 more are not valid UTF-8: they are passed on changed\n';
  assert.equal(context.err.text, first);
  await submit({ ...context, rawEnvironment: () => null }, ['true'], {});
  assert.equal(context.err.text, first);
});

test('a folder for a file of lines is refused as one for standard input is', async (t) => {
  const { daemon, context } = await setUp(t, () => ({ json: { runs: [] } }));
  const refused = { code: 'file-unreadable', message: `The file ${daemon.state} cannot be read: it is a folder.` };
  await assert.rejects(submit(context, ['echo'], { eachLine: daemon.state }), refused);
  await assert.rejects(submit(context, ['echo'], { stdin: daemon.state }), refused);
});

test('in a folder that is gone whole paths still do, and others are refused', async (t) => {
  const { context } = await setUp(t, () => ({ json: { runs: [7] } }));
  const gone = { ...context, cwd: null };
  assert.equal(await submit(gone, ['true'], { cwd: '/' }), 0);
  for (const options of [{}, { cwd: 'sub' }, { cwd: '/', stdin: 'file' }, { cwd: '/', eachLine: 'file' }]) {
    await assert.rejects(submit(gone, ['true'], options), { code: 'folder-gone', exitStatus: 120 });
  }
});

test('a current folder whose name is no text is refused, unless another one is named', async (t) => {
  const { context } = await setUp(t, () => ({ json: { runs: [7] } }));
  const latin = { ...context, cwd: { path: '/caf\uFFFD', bytes: Buffer.from('/caf\xe9', 'latin1') } };
  await assert.rejects(submit(latin, ['true'], {}), {
    code: 'text-not-utf8',
    message: /^The name of the current folder, \/caf\\xe9, is not valid UTF-8/,
  });
  assert.equal(await submit(latin, ['true'], { cwd: '/' }), 0);
});

test('submit --json prints one object', async (t) => {
  const { context } = await setUp(t, () => ({ json: { runs: [7] } }));
  await submit(context, ['true'], { json: true });
  assert.equal(context.out.text, '{"runs":[7]}\n');
});

test('submit --each-line sends the lines in batches with tokens of their own, and prints all numbers in order', async (t) => {
  let next = 1;
  const { daemon, context } = await setUp(t, ({ body }) => {
    const { commands } = body as { commands: string[][] };
    return { json: { runs: commands.map(() => next++) } };
  });
  const file = join(daemon.state, 'lines');
  writeFileSync(file, Array.from({ length: 1001 }, (_, index) => `line ${index}\n`).join(''));
  assert.equal(await submit(context, ['echo', 'a{}'], { eachLine: file }), 0);
  const bodies = daemon.for('/api/runs').map(({ body }) => body as { token: string; commands: string[][] });
  assert.deepEqual(
    bodies.map(({ token, commands }) => [token, commands.length]),
    [
      ['token-1.0', 1000],
      ['token-1.1', 1],
    ],
  );
  assert.deepEqual(bodies[1]?.commands, [['echo', 'aline 1000']]);
  assert.deepEqual(
    context.out.text.trimEnd().split('\n').map(Number),
    Array.from({ length: 1001 }, (_, index) => index + 1),
  );
});

test('submit --each-line of a file that is not there submits nothing', async (t) => {
  const { daemon, context } = await setUp(t, () => ({ json: { runs: [] } }));
  await assert.rejects(submit(context, ['echo'], { eachLine: '/none/such' }), {
    code: 'file-unreadable',
    exitStatus: 120,
  });
  assert.equal(daemon.asked.length, 0);
});

test('submit --wait exits as the first run that did not succeed', async (t) => {
  const handler = waiting(failed(2, 5), buildRun({ id: 1 }));
  const { context } = await setUp(t, (asked) =>
    asked.path === '/api/runs' ? { json: { runs: [1, 2] } } : handler(asked),
  );
  assert.equal(await submit(context, ['x'], { wait: true }), 5);
  assert.equal(context.out.text, '1\n2\n');
});

test('wait exits with the run’s status and shows the end of what it wrote, made visible', async (t) => {
  const { context } = await setUp(t, waiting(failed(9, 3)));
  assert.equal(await wait(context, ['9'], {}), 3);
  assert.equal(context.out.text, '');
  assert.equal(
    context.err.text,
    `orca: run 9, end of standard error (whole: orca logs 9 --stderr):
  one
  two\\x1b[2J
orca: run 9: failed: exit code 3; 41 s, 1 start, peak 200 MB, CPU 40.1 s on up to 1.0 cores
`,
  );
});

test('waiting for many gives the status of the first as given, whichever ended first', async (t) => {
  const { context } = await setUp(t, waiting(failed(3, 33), failed(2, 22), buildRun({ id: 1 })));
  assert.equal(await wait(context, ['1', '2', '3'], {}), 22);
  assert.match(context.err.text, /orca: 3 runs: 2 failed, 1 succeeded\n$/);
});

test('wait says nothing of a success off a terminal', async (t) => {
  const { context } = await setUp(t, waiting(buildRun()));
  assert.equal(await wait(context, ['12'], {}), 0);
  assert.equal(context.out.text + context.err.text, '');
});

test('wait --json prints each run on a line when it has ended, once, and nothing else', async (t) => {
  const { context } = await setUp(t, waiting(failed(3, 33), failed(3, 33), buildRun({ id: 1 })));
  assert.equal(await wait(context, ['1', '3'], { json: true }), 33);
  const printed = context.out.text
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { id: number }).id);
  assert.deepEqual(printed, [3, 1]);
});

test('only the first failed runs of many show their output', async (t) => {
  const ids = Array.from({ length: 10 }, (_, index) => index + 1);
  const { context, daemon } = await setUp(t, waiting(...ids.map((id) => failed(id, 1))));
  await wait(context, ids.map(String), {});
  assert.equal(daemon.asked.filter(({ path }) => path.endsWith('/logs')).length, 6);
  assert.equal(context.err.text.match(/failed: exit code 1/g)?.length, 10);
});

/** A wait that never ends by itself; `onWait` is called when it has begun. */
const endless =
  (onWait: () => void): Handler =>
  ({ path }) => {
    if (path !== '/api/wait') return undefined;
    async function* beats(): AsyncGenerator<string> {
      setImmediate(onWait);
      for (;;) {
        yield* ndjson({ type: 'beat', at: 1 });
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
    return { pieces: beats() };
  };

test('an interrupt leaves the runs alone and says how to come back', async (t) => {
  const { context, daemon } = await setUp(
    t,
    endless(() => context.signal('SIGINT')),
  );
  assert.equal(await wait(context, ['4', '5'], {}), 130);
  assert.match(context.err.text, /no longer waiting; 2 runs go on. `orca wait 4 5` waits again/);
  assert.equal(daemon.for('/api/kill').length, 0);
});

test('the waiter’s own time limit is status 124, and the run goes on', async (t) => {
  const { context } = await setUp(
    t,
    endless(() => {}),
  );
  assert.equal(await wait(context, ['4'], { timeout: '50ms' }), 124);
  assert.match(context.err.text, /50 ms have passed; run 4 goes on. `orca wait 4`/);
});

test('waiting for a run that is unknown is status 127', async (t) => {
  const error = { code: 'run-unknown', message: 'There is no run 4.', hint: 'List.', exit: 127 };
  const { context } = await setUp(t, () => ({ status: 404, json: { error } }));
  await assert.rejects(wait(context, ['4'], {}), { exitStatus: 127 });
});

test('kill says what became of each, who did it, and fails for a run that is unknown', async (t) => {
  const runs = [
    { run: 1, result: 'killing', state: 'running' },
    { run: 2, result: 'unknown', state: null },
  ];
  const { context, daemon } = await setUp(t, () => ({ json: { runs } }));
  assert.equal(await kill(context, ['1', '2'], { now: true }), 127);
  assert.deepEqual(daemon.asked[0]?.body, { runs: [1, 2], by: 'orca kill by ada', now: true });
  assert.equal(
    context.err.text,
    'orca: run 1 is being ended\norca: there is no run 2; `orca list --all` shows the runs that there are\n',
  );
});

test('retry prints the new run’s number and gives it the caller’s environment', async (t) => {
  const { context, daemon } = await setUp(t, () => ({ json: { runs: [31] } }));
  assert.equal(await retry(context, '30', {}), 0);
  assert.equal(context.out.text, '31\n');
  assert.equal(daemon.asked[0]?.path, '/api/runs/30/retry');
  assert.deepEqual(daemon.asked[0]?.body, { token: 'token-1', env: context.env });
});

test('logs go to the output of the same name, as they are', async (t) => {
  const { context, daemon } = await setUp(t, ({ query }) => ({
    pieces: [Buffer.from(`${query.get('stream')}\x1b[1m\r\n`)],
  }));
  assert.equal(await logs(context, '4', { tail: '3', start: '2' }), 0);
  assert.equal(context.out.text, 'stdout\x1b[1m\r\n');
  assert.equal(context.err.text, 'stderr\x1b[1m\r\n');
  assert.equal(daemon.asked[0]?.query.toString(), 'stream=stdout&start=2&tail=3');
});

test('logs of one stream ask for that only, and following says so', async (t) => {
  const { context, daemon } = await setUp(t, () => ({ pieces: [] }));
  await logs(context, '4', { stderr: true, follow: true });
  assert.deepEqual(
    daemon.asked.map(({ query }) => query.toString()),
    ['stream=stderr&follow=1'],
  );
});

test('on a terminal a log keeps its lines and moves no cursor, also when a character is cut in two', async (t) => {
  const bytes = Buffer.from('ü\ta\x1b[2J\nb\r');
  const { context } = await setUp(t, () => ({ pieces: [bytes.subarray(0, 1), bytes.subarray(1)] }), {
    out: new MemoryOutput({ isTTY: true }),
  });
  await logs(context, '4', { stdout: true });
  assert.equal(context.out.text, 'ü\ta\\x1b[2J\nb\\r');
});

test('list asks for what is not over, unless told otherwise', async (t) => {
  const { context, daemon } = await setUp(t, () => ({ json: { runs: [] } }));
  await list(context, {});
  await list(context, { all: true, limit: '5' });
  await list(context, { state: ['failed,lost', 'killed'] });
  assert.deepEqual(
    daemon.asked.map(({ query }) => query.toString()),
    ['state=queued&state=starting&state=running&limit=51', 'limit=6', 'state=failed&state=lost&state=killed&limit=51'],
  );
  assert.deepEqual(context.err.text.trimEnd().split('\n'), [
    'orca: nothing runs or waits; `orca list --all` shows the runs that are over',
    'orca: there are no runs yet',
    'orca: no run is in such a state',
  ]);
  await assert.rejects(list(context, { state: ['done'] }), { code: 'option-invalid' });
});

test('the foot of a list says no more than is known', async (t) => {
  assert.equal(moreWords(50, 50), null);
  assert.equal(moreWords(50, 51), 'there are more than these 50; --limit 100 shows up to 100');
  assert.equal(moreWords(9000, 9001), 'there are more than these 9000; --limit 10000 shows up to 10000');
  assert.equal(moreWords(10_000, 10_000), 'these are the newest 10000; there may be more');
  const { context } = await setUp(t, () => ({ json: { runs: [buildRun({ id: 3 }), buildRun({ id: 2 })] } }));
  await list(context, { limit: '1' });
  assert.match(context.err.text, /^orca: there are more than these 1; --limit 2 shows up to 2\n$/);
});

test('list --json keeps the API’s shape and its own limit', async (t) => {
  const { context } = await setUp(t, () => ({ json: { runs: [buildRun({ id: 3 }), buildRun({ id: 2 })] } }));
  await list(context, { json: true, limit: '1' });
  const { runs } = JSON.parse(context.out.text) as { runs: { id: number }[] };
  assert.deepEqual(
    runs.map(({ id }) => id),
    [3],
  );
});

test('list colours states on a terminal only', async (t) => {
  const handler: Handler = () => ({ json: { runs: [buildRun({ argv: ['succeeded'] })] } });
  const plain = await setUp(t, handler);
  await list(plain.context, { all: true });
  assert.doesNotMatch(plain.context.out.text, /\x1b/);
  const coloured = await setUp(t, handler, { out: new MemoryOutput({ isTTY: true }) });
  await list(coloured.context, { all: true });
  assert.equal(coloured.context.out.text.match(/\x1b\[32msucceeded\x1b\[0m/g)?.length, 1);
});

test('status without a daemon starts none and says so', async (t) => {
  const context = fakeContext({ state: temporaryState(t) });
  assert.equal(await status(context, undefined, {}), 0);
  assert.match(context.out.text, /no daemon runs for/);
  await status(context, undefined, { json: true });
  assert.match(context.out.text, /\{"daemon":null,"down":false\}\n$/);
});

test('status after `orca down` says what starts runs again', async (t) => {
  const state = temporaryState(t);
  const context = fakeContext({ state });
  for (const file of ['lock.db', 'down']) writeFileSync(join(state, file), '');
  assert.equal(await status(context, undefined, {}), 0);
  assert.match(context.out.text, /after `orca down` nothing is started until `orca up`\n$/);
  await status(context, undefined, { json: true });
  assert.match(context.out.text, /\{"daemon":null,"down":true\}\n$/);
});

test('a daemon that holds the lock and does not answer is told as that by status, top and config show', async (t) => {
  const state = temporaryState(t);
  holdLock(t, state);
  for (const command of [
    (context: Context) => status(context, undefined, {}),
    (context: Context) => top(context, { json: true }),
    (context: Context) => configShow(context, {}),
  ]) {
    const context = { ...fakeContext({ state }), clock: hastyClock() };
    await assert.rejects(command(context), {
      code: 'daemon-silent',
      exitStatus: 122,
      message: `A daemon (pid ${process.pid}) is in charge of ${state}, but it does not answer.`,
      hint: `\`kill -9 ${process.pid}\` ends it: it is made for that. Runs go on, and the next command starts another.`,
    });
    assert.doesNotMatch(context.out.text, /no daemon|null/);
  }
});

test('a daemon that only begins to serve is waited for', async (t) => {
  const { context, daemon } = await setUp(t, () => ({ json: daemonJson(1) }));
  await daemon.stop();
  holdLock(t, daemon.state);
  const clock = { ...context.clock, sleep: () => daemon.listen() };
  await status({ ...context, clock }, undefined, { json: true });
  assert.equal((JSON.parse(context.out.text) as { daemon: { pid: number } }).daemon.pid, 1);
});

test('status --json of a run is the run as the API has it', async (t) => {
  const { context } = await setUp(t, () => ({ json: buildRun() }));
  await status(context, '12', { json: true });
  assert.deepEqual(JSON.parse(context.out.text), JSON.parse(JSON.stringify(buildRun())));
  await assert.rejects(status(context, '1.5', {}), { code: 'run-number-invalid' });
});

const daemonJson = (pid: number) => ({
  keeper: { kind: 'native', why: null },
  pid,
  version: '0.1.0',
  state: '/state',
  started_at: buildNow,
  down: false,
  runs: { queued: 1, active: 2 },
});

test('down returns when the daemon is gone', async (t) => {
  let gone = false;
  const { context, daemon } = await setUp(t, ({ path }) => {
    if (path === '/api/daemon/down') {
      setImmediate(() => {
        gone = true;
        void daemon.stop();
      });
    }
    return { json: daemonJson(1) };
  });
  assert.equal(await down(context, {}), 0);
  assert.equal(gone, true);
  assert.match(context.out.text, /the daemon has left; 2 running runs go on/);
});

test('down does not say that a daemon has left that only fell silent', async (t) => {
  const { context, daemon } = await setUp(t, ({ path }) => {
    if (path === '/api/daemon/down') setImmediate(() => void daemon.stop());
    return { json: daemonJson(process.pid) };
  });
  holdLock(t, daemon.state);
  await assert.rejects(down({ ...context, clock: hastyClock() }, {}), { code: 'daemon-silent' });
  assert.equal(context.out.text, '');
});

test('restart returns when another daemon answers', async (t) => {
  let restarted = 0;
  const { context } = await setUp(t, ({ path }) => {
    if (path === '/api/daemon/restart') restarted = 1;
    else if (restarted > 0) restarted += 1;
    return { json: daemonJson(restarted > 3 ? 2 : 1) };
  });
  assert.equal(await restart(context, {}), 0);
  assert.match(context.out.text, /pid 2/);
});

test('config show tells value, source, scope and meaning, and where the daemon goes by others', async (t) => {
  const handler: Handler = ({ path }) =>
    path === '/api/config'
      ? { json: [{ name: 'ORCA_RESERVE_MB', value: 512, from: 'default', scope: 'daemon', doc: '' }] }
      : undefined;
  const { context } = await setUp(t, handler, { env: { ORCA_RESERVE_MB: '1000' } });
  assert.equal(await configShow(context, {}), 0);
  assert.match(context.out.text, /^NAME +VALUE +SCOPE +FROM$/m);
  assert.match(context.out.text, /^ORCA_RESERVE_MB +1000 MB +daemon +the environment$/m);
  assert.match(context.err.text, /ORCA_RESERVE_MB is 1000 here \(the environment\), but the daemon goes by 512/);
});

test('a submission under other daemon settings warns; one without asks nothing', async (t) => {
  const handler: Handler = ({ path }) =>
    path === '/api/config' ? { json: [{ name: 'ORCA_RESERVE_MB', value: 512 }] } : { json: { runs: [1] } };
  const plain = await setUp(t, handler);
  await submit(plain.context, ['true'], {});
  assert.equal(plain.daemon.for('/api/config').length, 0);
  const other = await setUp(t, handler, { env: { ORCA_RESERVE_MB: '1000' } });
  await submit(other.context, ['true'], {});
  assert.match(other.context.err.text, /the daemon goes by 512/);
});

test('settings of scope run travel with the submission', async (t) => {
  const { context, daemon } = await setUp(t, () => ({ json: { runs: [1] } }), {
    env: { ORCA_KILL_GRACE_SECONDS: '3' },
  });
  await submit(context, ['true'], {});
  assert.deepEqual(daemon.bodyFor<{ settings: unknown }>('/api/runs').settings, {
    ORCA_KILL_GRACE_SECONDS: '3',
  });
});
