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
import { top } from '../../../src/cli/top.ts';
import { hastyClock, holdLock, temporaryState, type Handler } from '../client/fake-daemon.ts';
import { buildNow, buildRun } from './build-run.ts';
import { fakeContext, MemoryOutput } from './fake-context.ts';
import { setUp } from './set-up.ts';

test('kill says what became of each, who did it, and fails for a run that is unknown', async (t) => {
  const runs = [
    { run: 1, result: 'killing', state: 'running' },
    { run: 2, result: 'unknown', state: null },
  ];
  const { context, daemon } = await setUp(t, () => ({ json: { runs } }));
  assert.equal(await kill(context, ['1', '2'], { now: true }), 127);
  assert.deepEqual(daemon.asked[0]?.body, { runs: [1, 2], groups: [], tags: [], by: 'orca kill by ada', now: true });
  assert.equal(
    context.err.text,
    'orca: run 1 is being ended\norca: there is no run 2; `orca list --all` shows the runs that there are\n',
  );
});

test('a kill of a group whose daemon died in the middle counts what the one before ended', async (t) => {
  const { context, daemon } = await setUp(t, ({ path }) => {
    if (path === '/api/choose') return { json: { runs: [11, 12, 13, 14] } };
    const [one, two, three, four] = [11, 12, 13, 14];
    const runs = [
      { run: one, result: 'final', state: 'killed' },
      { run: two, result: 'final', state: 'succeeded' },
      { run: three, result: 'killed', state: 'killed' },
      { run: four, result: 'killing', state: 'running' },
    ];
    return { json: { runs } };
  });
  assert.equal(await kill(context, ['g11'], {}), 0);
  const { runs, groups } = daemon.bodyFor<{ runs: number[]; groups: number[] }>('/api/kill');
  assert.deepEqual([runs, groups], [[11, 12, 13, 14], [11]]);
  assert.equal(context.err.text, 'orca: g11: 2 are ended, 1 is being ended\n');
});

test('retry prints the new run’s number and gives it the caller’s environment', async (t) => {
  const { context, daemon } = await setUp(t, () => ({ json: { runs: [31] } }));
  assert.equal(await retry(context, ['30'], {}), 0);
  assert.equal(context.out.text, '31\n');
  assert.equal(daemon.asked[0]?.path, '/api/retry');
  assert.deepEqual(daemon.asked[0]?.body, {
    env: context.env,
    submitter: 'ada',
    token: 'token-1',
    runs: [{ run: 30, of: null }],
  });
});

test('a retry with variables and a name of its own says so', async (t) => {
  const { context, daemon } = await setUp(t, () => ({ json: { runs: [31] } }));
  await retry(context, ['30'], { env: ['A=1'], as: 'nightly' });
  assert.deepEqual(daemon.asked[0]?.body, {
    token: 'token-1',
    runs: [{ run: 30, of: null }],
    env: context.env,
    set: { A: '1' },
    submitter: 'nightly',
  });
});

const withLogs =
  (logsOf: (stream: string | null) => Buffer[]): Handler =>
  ({ path, query }) =>
    path.endsWith('/logs') ? { pieces: logsOf(query.get('stream')) } : { json: buildRun({ id: 4 }) };

test('logs go to the output of the same name, as they are', async (t) => {
  const { context, daemon } = await setUp(
    t,
    withLogs((stream) => [Buffer.from(`${stream}\x1b[1m\r\n`)]),
  );
  assert.equal(await logs(context, '4', { tail: '3', start: '2' }), 0);
  assert.equal(context.out.text, 'stdout\x1b[1m\r\n');
  assert.equal(context.err.text, 'stderr\x1b[1m\r\n');
  assert.equal(daemon.asked[0]?.query.toString(), 'stream=stdout&start=2&tail=3');
});

test('logs of one stream ask for that only, and following says so', async (t) => {
  const { context, daemon } = await setUp(
    t,
    withLogs(() => []),
  );
  await logs(context, '4', { stderr: true, follow: true });
  assert.deepEqual(
    daemon.asked.filter(({ path }) => path.endsWith('/logs')).map(({ query }) => query.toString()),
    ['stream=stderr&follow=1'],
  );
});

test('on a terminal a log keeps its lines and moves no cursor, also when a character is cut in two', async (t) => {
  const bytes = Buffer.from('ü\ta\x1b[2J\nb\r');
  const { context } = await setUp(
    t,
    withLogs(() => [bytes.subarray(0, 1), bytes.subarray(1)]),
    {
      out: new MemoryOutput({ isTTY: true }),
    },
  );
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
  await assert.rejects(status(context, '1.5', {}), { code: 'handle-invalid' });
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
    return { json: { ...daemonJson(1), down: true } };
  });
  assert.equal(await down(context, {}), 0);
  assert.equal(gone, true);
  assert.match(context.out.text, /the daemon has left; 2 running runs go on/);
});

test('down does not say that a daemon has left that only fell silent', async (t) => {
  const { context, daemon } = await setUp(t, ({ path }) => {
    if (path === '/api/daemon/down') setImmediate(() => void daemon.stop());
    return { json: { ...daemonJson(process.pid), down: true } };
  });
  holdLock(t, daemon.state);
  await assert.rejects(down({ ...context, clock: hastyClock() }, {}), { code: 'daemon-silent' });
  assert.equal(context.out.text, '');
});

test('a restart says where the daemon goes by other settings still', async (t) => {
  let restarted = 0;
  const { context } = await setUp(
    t,
    ({ path }) => {
      if (path === '/api/config') return { json: [{ name: 'ORCA_CAPACITY_MB', value: 3000 }] };
      if (path === '/api/daemon/restart') restarted = 1;
      return { json: daemonJson(1 + restarted) };
    },
    { env: { ORCA_CAPACITY_MB: '1500' } },
  );
  assert.equal(await restart(context, {}), 0);
  assert.match(context.err.text, /ORCA_CAPACITY_MB is 1500 here .* the daemon goes by 3000/);
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

test('config show tells value, source, scope and meaning, and where the daemon goes by others, also than a default here', async (t) => {
  const row = { from: 'the environment', scope: 'daemon', doc: '' };
  const handler: Handler = ({ path }) =>
    path === '/api/config'
      ? {
          json: [
            { name: 'ORCA_RESERVE_MB', value: 512, ...row },
            { name: 'ORCA_LOGS', value: '/elsewhere', ...row },
          ],
        }
      : undefined;
  const { context } = await setUp(t, handler, { env: { ORCA_RESERVE_MB: '1000' } });
  assert.equal(await configShow(context, {}), 0);
  assert.match(context.out.text, /^NAME +VALUE +SCOPE +FROM$/m);
  assert.match(context.out.text, /^ORCA_RESERVE_MB +1000 MB +daemon +the environment$/m);
  assert.match(context.err.text, /ORCA_RESERVE_MB is 1000 here \(the environment\), but the daemon goes by 512/);
  assert.match(context.err.text, /ORCA_LOGS is .* here \(default\), but the daemon goes by \/elsewhere/);
});
