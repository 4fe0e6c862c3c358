import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { AnsweredError } from '../../../src/client/answered-error.ts';
import type { ClientPlace } from '../../../src/client/client-place.ts';
import { DaemonClient } from '../../../src/client/daemon-client.ts';
import { readLog } from '../../../src/client/read-log.ts';
import { waitRuns } from '../../../src/client/wait-runs.ts';
import { OrcaError } from '../../../src/errors/orca-error.ts';
import { FakeDaemon, holdLock, ndjson, placeOf, temporaryState } from './fake-daemon.ts';

/** A clock whose sleeps take a thousandth: 35 s of patience are over in 35 ms, and requests still work. */
function hurried(place: ClientPlace): ClientPlace {
  let now = 0;
  const sleep = async (ms: number): Promise<void> => {
    now += ms;
    await new Promise((resolve) => setTimeout(resolve, ms / 1000));
  };
  return { ...place, clock: { now: () => now, sleep } };
}

test('every request says which API and which program it is of', async (t) => {
  const daemon = await FakeDaemon.start(t, temporaryState(t), () => ({ json: { pid: 7 } }));
  const answer = await new DaemonClient(placeOf(daemon.state, '/opt/my orca/ü.js')).daemon();
  assert.equal(answer.pid, 7);
  assert.equal(daemon.asked[0]?.headers['orca-api'], '1');
  assert.equal(daemon.asked[0]?.headers['orca-program'], '0.1.0 5 /opt/my%20orca/%C3%BC.js');
});

test('an error answer keeps the daemon’s sentence, advice and exit status', async (t) => {
  const error = { code: 'run-unknown', message: 'There is no run 9.', hint: 'List them.', exit: 127 };
  const daemon = await FakeDaemon.start(t, temporaryState(t), () => ({ status: 404, json: { error } }));
  await assert.rejects(new DaemonClient(placeOf(daemon.state)).run(9), (cause) => {
    assert.ok(cause instanceof AnsweredError);
    assert.deepEqual([cause.code, cause.message, cause.hint, cause.exitStatus], Object.values(error));
    return true;
  });
});

test('an answer that is none of ours is told as such, without its text', async (t) => {
  const daemon = await FakeDaemon.start(t, temporaryState(t), () => ({ status: 500, pieces: ['<html>'] }));
  await assert.rejects(new DaemonClient(placeOf(daemon.state)).run(9), { code: 'answer-unreadable' });
});

test('a submission whose answer was cut off is sent again with the same token', async (t) => {
  const daemon = await FakeDaemon.start(t, temporaryState(t), ({ path }) => {
    if (path !== '/api/runs') return undefined;
    return daemon.for(path).length === 1 ? { pieces: ['{"ru'], cut: true } : { json: { runs: [3] } };
  });
  const client = new DaemonClient(placeOf(daemon.state));
  const submitted = await client.submit({ token: 'one' } as Parameters<DaemonClient['submit']>[0]);
  assert.deepEqual(submitted.runs, [3]);
  assert.deepEqual(
    daemon.for('/api/runs').map(({ body }) => body),
    [{ token: 'one' }, { token: 'one' }],
  );
});

test('a daemon that is handing over is asked again', async (t) => {
  const daemon = await FakeDaemon.start(t, temporaryState(t), () =>
    daemon.asked.length < 4 ? { status: 503, json: {} } : { json: { pid: 8 } },
  );
  assert.equal((await new DaemonClient(placeOf(daemon.state)).daemon()).pid, 8);
});

test('a request is answered by the daemon that comes back', async (t) => {
  const daemon = await FakeDaemon.start(t, temporaryState(t), () => ({ json: { pid: 9 } }));
  await daemon.stop();
  // A run’s process starts no daemon, so the fake is the only one to come.
  mkdirSync(join(daemon.state, 'starts', '1.1'), { recursive: true });
  writeFileSync(join(daemon.state, 'starts', '1.1', 'pid'), '{"uuid":"u"}');
  const place = { ...placeOf(daemon.state), env: { ORCA_RUN_ID: '1', ORCA_START: 'u' } };
  const answer = new DaemonClient(place).daemon();
  await daemon.listen();
  assert.equal((await answer).pid, 9);
});

test('inside a run no daemon is started, and that is said when none comes back', async (t) => {
  const state = temporaryState(t);
  mkdirSync(join(state, 'starts', '1.1'), { recursive: true });
  writeFileSync(join(state, 'starts', '1.1', 'pid'), '{"uuid":"u"}');
  const place = hurried({ ...placeOf(state), env: { ORCA_RUN_ID: '1', ORCA_START: 'u' } });
  await assert.rejects(new DaemonClient(place).daemon(), { code: 'daemon-gone-inside', exitStatus: 122 });
});

/** A program whose `daemon` does what the script says. */
function entryOf(state: string, script: string): string {
  const entry = join(state, 'entry.mjs');
  writeFileSync(entry, script);
  return entry;
}

const servingScript = `
import { createServer } from 'node:http';
import { writeFileSync } from 'node:fs';
const state = process.env.ORCA_HOME;
const server = createServer((request, response) => {
  response.end(JSON.stringify({ pid: process.pid, args: process.argv.slice(2), cwd: process.cwd(), env: process.env }));
  if (request.url === '/api/daemon/down') { server.close(); server.closeIdleConnections(); }
});
server.listen(state + '/own.sock', () => writeFileSync(state + '/daemon.json', JSON.stringify({ pid: process.pid, socket: state + '/own.sock' })));
console.log('a word for the log');
setTimeout(() => process.exit(), 20000).unref();
`;

test('a daemon that is missing is started: of its own session, at the root, without the variables of a run', async (t) => {
  const state = temporaryState(t);
  const place = placeOf(state, entryOf(state, servingScript));
  const client = new DaemonClient({
    ...place,
    env: { ...place.env, ORCA_RUN_ID: '1', ORCA_START: 'x', ORCA_CPUS: '1', KEPT: 'yes' },
  });
  const answer: unknown = await client.daemon();
  await client.down({});
  assert.ok(typeof answer === 'object' && answer !== null && 'env' in answer && 'cwd' in answer && 'args' in answer);
  assert.deepEqual(answer.args, ['daemon']);
  assert.equal(answer.cwd, '/');
  assert.deepEqual(answer.env, { PATH: '/usr/bin:/bin', KEPT: 'yes', ORCA_HOME: state });
  assert.match(readFileSync(join(state, 'daemon.log'), 'utf8'), /a word for the log/);
});

test('a daemon that cannot start tells why in its own words', async (t) => {
  const state = temporaryState(t);
  const error = { code: 'store-newer', message: 'The store is newer.', hint: 'Update.', exit: 120 };
  const script = `import { writeFileSync } from 'node:fs';
    writeFileSync(process.env.ORCA_HOME + '/daemon.error', ${JSON.stringify(JSON.stringify({ error }))}); process.exit(1);`;
  await assert.rejects(new DaemonClient(placeOf(state, entryOf(state, script))).daemon(), {
    message: 'The store is newer.',
    exitStatus: 120,
  });
});

test('a daemon that dies without a word is told with its status, and where its log is', async (t) => {
  const state = temporaryState(t);
  await assert.rejects(new DaemonClient(placeOf(state, entryOf(state, 'process.exit(7)'))).daemon(), (cause) => {
    assert.ok(cause instanceof OrcaError);
    assert.match(cause.message, /ended with status 7/);
    assert.match(cause.hint, /daemon\.log/);
    return true;
  });
});

test('a daemon that finds another in charge is no error: the other one is waited for', async (t) => {
  const daemon = new FakeDaemon(temporaryState(t), () => ({ json: { pid: 10 } }));
  t.after(() => daemon.stop());
  const script = `import { writeFileSync } from 'node:fs'; writeFileSync(process.env.ORCA_HOME + '/ran', ''); process.exit(3);`;
  const answer = new DaemonClient(placeOf(daemon.state, entryOf(daemon.state, script))).daemon();
  while (!existsSync(join(daemon.state, 'ran'))) await new Promise((resolve) => setTimeout(resolve, 5));
  await daemon.listen();
  assert.equal((await answer).pid, 10);
});

test('a daemon that never answers is an error after a bounded time', async (t) => {
  const daemon = await FakeDaemon.start(t, temporaryState(t), () => ({ status: 503, json: {} }));
  const place = hurried(placeOf(daemon.state, entryOf(daemon.state, 'process.exit(3)')));
  await assert.rejects(new DaemonClient(place).daemon(), { code: 'daemon-gone', exitStatus: 122 });
  holdLock(t, place.state);
  await assert.rejects(new DaemonClient(place).daemon(), { code: 'daemon-silent', exitStatus: 122 });
});

test('looking whether a daemon is there starts none', async (t) => {
  assert.equal(await new DaemonClient(placeOf(temporaryState(t))).peek(), null);
});

test('a wait goes on after the daemon was replaced, and ends when all are final', async (t) => {
  const streams = [
    { pieces: ndjson({ type: 'run', run: { id: 1 } }, { type: 'beat', at: 1 }), cut: true },
    {
      pieces: ndjson(
        { type: 'news' },
        { type: 'run', run: { id: 1 } },
        { type: 'run', run: { id: 2 } },
        { type: 'end' },
      ),
    },
  ];
  const daemon = await FakeDaemon.start(t, temporaryState(t), ({ path }) =>
    path === '/api/wait' ? streams.shift() : undefined,
  );
  const seen: number[] = [];
  const request = { runs: [1, 2], owner: 'me', detail: 'full' as const };
  await waitRuns(
    new DaemonClient(placeOf(daemon.state)),
    request,
    ({ id }) => seen.push(id),
    new AbortController().signal,
  );
  assert.deepEqual(seen, [1, 1, 2]);
  assert.deepEqual(
    daemon.for('/api/wait').map(({ body }) => body),
    [request, request],
  );
});

test('a wait that ends without its last word is taken up again', async (t) => {
  const streams = [{ pieces: ndjson({ type: 'beat', at: 1 }) }, { pieces: ndjson({ type: 'end' }) }];
  const daemon = await FakeDaemon.start(t, temporaryState(t), ({ path }) =>
    path === '/api/wait' ? streams.shift() : undefined,
  );
  await waitRuns(
    new DaemonClient(placeOf(daemon.state)),
    { runs: [1], detail: 'final' },
    () => {},
    new AbortController().signal,
  );
  assert.equal(daemon.for('/api/wait').length, 2);
});

test('a log goes on at the byte and in the start where it was cut off', async (t) => {
  const whole = Buffer.from('0123456789');
  const daemon = await FakeDaemon.start(t, temporaryState(t), ({ path, query }) => {
    if (path !== '/api/runs/5/logs') return undefined;
    const offset = Number(query.get('offset') ?? 4);
    const headers = { 'orca-start': '2', 'orca-offset': String(offset) };
    return offset === 4
      ? { headers, pieces: [whole.subarray(4, 7)], cut: true }
      : { headers, pieces: [whole.subarray(offset)] };
  });
  const chunks: Buffer[] = [];
  const request = { run: 5, stream: 'stderr', start: null, tail: 3, follow: true } as const;
  for await (const chunk of readLog(new DaemonClient(placeOf(daemon.state)), request)) chunks.push(chunk);
  assert.equal(Buffer.concat(chunks).toString(), '456789');
  const queries = daemon.for('/api/runs/5/logs').map(({ query }) => query.toString());
  assert.deepEqual(queries, ['stream=stderr&tail=3&follow=1', 'stream=stderr&start=2&offset=7&follow=1']);
});
