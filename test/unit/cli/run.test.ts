import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { run, type RunOptions } from '../../../src/cli/run.ts';
import { systemClock, type Clock } from '../../../src/client/client-place.ts';
import type { RunJson } from '../../../src/wire/api.ts';
import { FakeDaemon, ndjson, temporaryState, type Answer, type Asked } from '../client/fake-daemon.ts';
import { buildRetriedRun, buildRun, buildStart } from './build-run.ts';
import { fakeContext, MemoryOutput, type FakeContext } from './fake-context.ts';

interface Script {
  readonly options?: RunOptions;
  readonly out?: MemoryOutput;
  readonly err?: MemoryOutput;
  readonly command?: readonly string[];
  readonly clock?: Clock;
  /** The events of the wait, in order. */
  readonly runs?: readonly RunJson[];
  /** The log of a stream of a start. */
  readonly log?: (stream: string, start: string) => Answer['pieces'];
  /** Answers before the usual ones. */
  readonly first?: (asked: Asked, context: FakeContext) => Answer | Promise<Answer> | undefined;
}

/** `orca run` against a daemon that tells the given story. */
async function runAgainst(
  t: TestContext,
  script: Script,
): Promise<{ status: number; daemon: FakeDaemon; context: FakeContext }> {
  const state = temporaryState(t);
  const made = fakeContext({
    state,
    ...(script.out && { out: script.out }),
    ...(script.err && { err: script.err }),
  });
  const context = script.clock === undefined ? made : { ...made, clock: script.clock };
  const daemon = await FakeDaemon.start(t, state, async (asked) => {
    const answer = await script.first?.(asked, context);
    if (answer !== undefined) return answer;
    const logs = /^\/api\/runs\/12\/logs$/.test(asked.path);
    if (logs) return { pieces: script.log?.(asked.query.get('stream') ?? '', asked.query.get('start') ?? '') ?? [] };
    if (asked.path === '/api/runs') return { json: { runs: [12] } };
    if (asked.path === '/api/runs/12') return { json: script.runs?.at(-1) };
    if (asked.path === '/api/kill') return { json: { runs: [{ run: 12, result: 'killing', state: 'running' }] } };
    if (asked.path.endsWith('/detach')) return { json: {} };
    if (asked.path === '/api/wait') {
      const events = (script.runs ?? []).map((run) => ({ type: 'run', run }));
      return { pieces: ndjson(...events, { type: 'end' }) };
    }
    return { json: {} };
  });
  const status = await run(context, script.command ?? ['xz', '-9'], { stdin: 'none', ...script.options });
  return { status, daemon, context };
}

const twoProgramsBytes = (stream: string, start: string): string[] => [`${stream} of start ${start}\n`];

test('a command that succeeds off a terminal passes its output on and says nothing else', async (t) => {
  const { status, context, daemon } = await runAgainst(t, { runs: [buildRun()], log: twoProgramsBytes });
  assert.equal(status, 0);
  assert.equal(context.out.text, 'stdout of start 1\n');
  assert.equal(context.err.text, 'stderr of start 1\n');
  const [submitted] = daemon.for('/api/runs');
  assert.deepEqual(submitted?.body, {
    cpus: 1,
    memory: null,
    retries: 0,
    timeout_ms: null,
    priority: 0,
    name: null,
    cwd: '/work',
    env: context.env,
    submitter: 'ada',
    umask: 0o022,
    // Standard output is no terminal: all of it is passed on.
    settings: { ORCA_LOG_MAX_MB: '0' },
    token: 'token-1',
    commands: [['xz', '-9']],
    stdin: { kind: 'null' },
    owner: 'token-1',
  });
  assert.deepEqual(daemon.for('/api/wait')[0]?.body, { runs: [12], owner: 'token-1', detail: 'full' });
});

test('where a second start is possible a file gets only the final start’s output, and hears of each death', async (t) => {
  const options = { memory: '256MB..2GB' };
  const { status, context } = await runAgainst(t, { options, runs: [buildRetriedRun()], log: twoProgramsBytes });
  assert.equal(status, 0);
  assert.equal(context.out.text, 'stdout of start 2\n');
  assert.match(context.err.text, /stderr of start 1\nstderr of start 2\n/);
  assert.match(context.err.text, /^orca: run 12 start 1: out of memory at 256 MB: .*; the next start gets 384 MB/m);
  assert.equal(context.err.text.match(/orca:/g)?.length, 1);
});

for (const [what, options, isTTY] of [
  ['--live', { memory: '256MB..2GB', live: true }, false],
  ['a terminal', { memory: '256MB..2GB' }, true],
] as const) {
  test(`${what} gets every start’s output as it comes`, async (t) => {
    const out = new MemoryOutput({ isTTY });
    const { context } = await runAgainst(t, { options, out, runs: [buildRetriedRun()], log: twoProgramsBytes });
    assert.equal(context.out.text, 'stdout of start 1\nstdout of start 2\n');
  });
}

test('on a terminal the last line says what happened', async (t) => {
  const err = new MemoryOutput({ isTTY: true });
  const { context } = await runAgainst(t, { err, runs: [buildRun()] });
  assert.equal(
    context.err.text.trimEnd().split('\n').at(-1),
    'orca: run 12 succeeded; 41 s, 1 start, peak 200 MB, CPU 40.1 s on up to 1.0 cores',
  );
});

test('on a terminal a queued run shows why it waits, and the line goes away', async (t) => {
  const err = new MemoryOutput({ isTTY: true });
  const waiting = buildRun({ state: 'queued', reason: 'all 2 cpus are taken\x1b[2J', starts: [], exit_status: null });
  const { context } = await runAgainst(t, { err, runs: [waiting, buildRun()] });
  assert.ok(context.err.text.startsWith('\r\x1b[2Korca: run 12 waits: all 2 cpus are taken\\x1b[2J\r\x1b[2K'));
});

test('a command that is a client of something else is run, and told once that its work is outside', async (t) => {
  const { status, context } = await runAgainst(t, { runs: [buildRun()], command: ['sudo', 'docker', 'run', 'x'] });
  assert.equal(status, 0);
  assert.match(context.err.text, /^orca: docker has its work done outside of the run, .*\n$/);
});

test('a failure is told off a terminal too, and its status is the run’s', async (t) => {
  const start = buildStart({ verdict: 'failed', text: 'exit code 3', exit_code: 3 });
  const failed = buildRun({ state: 'failed', text: 'exit code 3', exit_code: 3, exit_status: 3, starts: [start] });
  const { status, context } = await runAgainst(t, { runs: [failed] });
  assert.equal(status, 3);
  assert.match(context.err.text, /^orca: run 12: failed: exit code 3; 41 s, 1 start/);
});

test('with --json standard output is the run as one object, and nothing else', async (t) => {
  const options = { json: true };
  const { context } = await runAgainst(t, { options, runs: [buildRun()], log: twoProgramsBytes });
  assert.deepEqual(JSON.parse(context.out.text), JSON.parse(JSON.stringify(buildRun())));
  assert.equal(context.err.text, 'stderr of start 1\n');
});

test('a void start has no output and is no death', async (t) => {
  const starts = [buildStart({ state: 'void', verdict: null, text: null, exit_code: null }), buildStart({ start: 2 })];
  const { context, daemon } = await runAgainst(t, {
    options: { retries: '1' },
    runs: [buildRun({ starts })],
    log: twoProgramsBytes,
  });
  assert.equal(context.out.text, 'stdout of start 2\n');
  assert.equal(context.err.text, 'stderr of start 2\n');
  assert.ok(daemon.for('/api/runs/12/logs').every(({ query }) => query.get('start') === '2'));
});

/** A wait that goes on until a kill (or a detach) arrives. */
function untilAsked(path: string, then: RunJson): NonNullable<Script['first']> {
  const { promise, resolve } = Promise.withResolvers<void>();
  return (asked) => {
    if (asked.path === path) resolve();
    if (asked.path !== '/api/wait') return undefined;
    async function* events(): AsyncGenerator<string> {
      yield* ndjson({ type: 'run', run: buildRun({ state: 'running', exit_status: null, starts: [] }) });
      await promise;
      yield* ndjson({ type: 'run', run: then }, { type: 'end' });
    }
    return { pieces: events() };
  };
}

const killed = buildRun({
  state: 'killed',
  text: 'killed (Interrupt of orca run (pid 4194381))',
  exit_status: 125,
  starts: [],
});

for (const [signal, by] of [
  ['SIGINT', 'Interrupt of orca run (pid 4194381)'],
  ['SIGTERM', 'TERM of orca run (pid 4194381)'],
] as const) {
  test(`${signal} stops the run, waits for its end, and exits as killed`, async (t) => {
    const story = untilAsked('/api/kill', killed);
    const { status, daemon } = await runAgainst(t, {
      runs: [killed],
      first: (asked, context) => {
        if (asked.path === '/api/wait') setImmediate(() => context.signal(signal));
        return story(asked, context);
      },
    });
    assert.equal(status, 125);
    assert.deepEqual(
      daemon.for('/api/kill').map(({ body }) => body),
      [{ runs: [12], by, now: false, owner: 'token-1' }],
    );
  });
}

test('a second interrupt skips the grace', async (t) => {
  let kills = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  const { daemon } = await runAgainst(t, {
    runs: [killed],
    first: (asked, context) => {
      if (asked.path === '/api/kill') {
        kills += 1;
        if (kills === 1) setImmediate(() => context.signal('SIGINT'));
        else resolve();
      }
      if (asked.path !== '/api/wait') return undefined;
      setImmediate(() => context.signal('SIGINT'));
      async function* events(): AsyncGenerator<string> {
        await promise;
        yield* ndjson({ type: 'run', run: killed }, { type: 'end' });
      }
      return { pieces: events() };
    },
  });
  assert.deepEqual(
    daemon.for('/api/kill').map(({ body }) => (body as { now: boolean }).now),
    [false, true],
  );
});

test('a run that does not end after a second interrupt is left after ten seconds, with how to come back', async (t) => {
  let kills = 0;
  const { status, context } = await runAgainst(t, {
    // Ten seconds pass at once.
    clock: { now: () => Date.now(), sleep: (ms, signal) => systemClock.sleep(ms === 10_000 ? 1 : ms, signal) },
    first: (asked, context) => {
      if (asked.path === '/api/kill' && ++kills === 1) setImmediate(() => context.signal('SIGINT'));
      if (asked.path === '/api/wait') setImmediate(() => context.signal('SIGINT'));
      return untilAsked('/never', killed)(asked, context);
    },
  });
  assert.equal(status, 122);
  assert.match(context.err.text, /10 s after the second interrupt run 12 is not over\. `orca wait 12` waits for it/);
});

const unstored = buildRun({
  state: 'running',
  end_unstored: true,
  reason: 'its end cannot be stored yet: the disk is full.',
  exit_status: null,
  starts: [],
});

for (const when of ['before', 'after'] as const) {
  test(`a run that is over while its end cannot be stored, known ${when} the TERM, is left at once with why`, async (t) => {
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    const { status, context, daemon } = await runAgainst(t, {
      // Neither ten seconds nor the two of a notice pass.
      clock: { now: () => Date.now(), sleep: () => new Promise(() => {}) },
      first: ({ path }, context) => {
        if (path === '/api/kill') resolve();
        if (path !== '/api/wait') return undefined;
        async function* events(): AsyncGenerator<string> {
          yield* ndjson({ type: 'run', run: when === 'before' ? unstored : { ...unstored, end_unstored: false } });
          setImmediate(() => context.signal('SIGTERM'));
          await asked;
          if (when === 'after') yield* ndjson({ type: 'run', run: unstored });
          await new Promise(() => {});
        }
        return { pieces: events() };
      },
    });
    assert.equal(status, 122);
    // It stops further starts.
    assert.equal(daemon.for('/api/kill').length, 1);
    assert.equal(
      context.err.text.match(
        /orca: run 12 is over, but its end cannot be stored yet: the disk is full\. `orca wait 12` waits for that\./g,
      )?.length,
      1,
    );
  });
}

test('a run whose end cannot be stored says so on a terminal', async (t) => {
  const err = new MemoryOutput({ isTTY: true });
  const stuck = buildRun({
    state: 'running',
    reason: 'its end cannot be stored yet: the disk is full',
    exit_status: null,
  });
  const { context } = await runAgainst(t, { err, runs: [stuck, buildRun()] });
  assert.match(context.err.text, /orca: run 12: its end cannot be stored yet: the disk is full/);
});

for (const [options, hint] of [
  [{}, 'The whole output is kept: `orca logs 12 --stdout > FILE` writes it again.'],
  [{ json: true }, 'Run 12 is over (succeeded): `orca status 12 --json` prints it again.'],
] as const) {
  test(`an output that cannot be written is told with how to get it again: ${hint}`, async (t) => {
    const out = new MemoryOutput({ fault: 'ENOSPC' });
    const script = { options, out, runs: [buildRun()], log: twoProgramsBytes };
    await assert.rejects(runAgainst(t, script), { code: 'output-failed', exitStatus: 122, hint });
  });
}

test('an interrupt while the run is being submitted kills it as soon as it has a number', async (t) => {
  const story = untilAsked('/api/kill', killed);
  const { status, daemon } = await runAgainst(t, {
    runs: [killed],
    first: (asked, context) => {
      if (asked.path === '/api/runs') context.signal('SIGINT');
      return story(asked, context);
    },
  });
  assert.equal(status, 125);
  assert.equal(daemon.for('/api/kill').length, 1);
});

test('a hang-up lets the run go on, says how to come back, and kills nothing', async (t) => {
  const story = untilAsked('/never', killed);
  const { status, daemon, context } = await runAgainst(t, {
    first: (asked, context) => {
      if (asked.path === '/api/wait') setImmediate(() => context.signal('SIGHUP'));
      return story(asked, context);
    },
  });
  assert.equal(status, 129);
  assert.deepEqual(daemon.for('/api/runs/12/detach')[0]?.body, { owner: 'token-1' });
  assert.equal(daemon.for('/api/kill').length, 0);
  assert.match(context.err.text, /run 12 goes on. `orca wait 12`/);
});

test('a reader that closes our output stops the run', async (t) => {
  const story = untilAsked('/api/kill', killed);
  const { daemon, status, context } = await runAgainst(t, {
    out: new MemoryOutput({ closeAfter: 1 }),
    log: (stream) => (stream === 'stdout' ? ['first\n', 'second\n', 'third\n'] : []),
    first: (asked, context) => {
      if (asked.path !== '/api/wait') return story(asked, context);
      async function* events(): AsyncGenerator<string> {
        yield* ndjson({
          type: 'run',
          run: buildRun({
            state: 'running',
            exit_status: null,
            starts: [buildStart({ state: 'running', verdict: null })],
          }),
        });
        const rest = await story(asked, context);
        if (rest?.pieces !== undefined) for await (const piece of rest.pieces) yield String(piece);
      }
      return { pieces: events() };
    },
    runs: [killed],
  });
  assert.equal(status, 125);
  assert.equal(daemon.bodyFor<{ by: string }>('/api/kill').by, 'closed output of orca run');
  assert.equal(context.err.text, '');
});

test('a refused submission leaves no spooled input behind and starts nothing', async (t) => {
  const error = { code: 'program-missing', message: 'There is no program xz.', hint: 'Install it.', exit: 120 };
  const first = ({ path }: Asked): Answer | undefined =>
    path === '/api/runs' ? { status: 400, json: { error } } : undefined;
  await assert.rejects(runAgainst(t, { first }), { message: 'There is no program xz.', exitStatus: 120 });
});

test('a bad option is refused before the state folder or a daemon is touched', async (t) => {
  const state = join(temporaryState(t), 'never-made');
  const context = fakeContext({ state });
  for (const options of [{ memory: '12Q' }, { name: 'a\x1bb' }, { cpus: '-1' }, { timeout: 'soon' }]) {
    await assert.rejects(run(context, ['true'], options), { exitStatus: 120 });
  }
  assert.equal(existsSync(state), false);
});

test('a named input is reopened by path, and one that is not there is refused', async (t) => {
  const folder = temporaryState(t);
  const file = join(folder, 'in');
  writeFileSync(file, 'x');
  mkdirSync(join(folder, 'dir'));
  const { daemon } = await runAgainst(t, { options: { stdin: file }, runs: [buildRun()] });
  assert.deepEqual(daemon.bodyFor<{ stdin: unknown }>('/api/runs').stdin, { kind: 'file', path: file });
  for (const name of ['none-such', 'dir']) {
    await assert.rejects(runAgainst(t, { options: { stdin: join(folder, name) } }), { code: 'file-unreadable' });
  }
  assert.deepEqual(readdirSync(folder).sort(), ['dir', 'in']);
});
