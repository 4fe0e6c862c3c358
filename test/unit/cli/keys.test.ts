import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { run, type RunOptions } from '../../../src/cli/run.ts';
import { submit, type SubmitOptions } from '../../../src/cli/submit.ts';
import type { KnownRunJson, RunJson, SubmitRequest } from '../../../src/wire/api.ts';
import { FakeDaemon, ndjson, temporaryState, type Answer, type Asked } from '../client/fake-daemon.ts';
import { buildRun } from './build-run.ts';
import { fakeContext, type FakeContext } from './fake-context.ts';

interface Script {
  readonly known?: readonly KnownRunJson[];
  readonly group?: number | null;
  readonly story?: RunJson;
  readonly first?: (asked: Asked, context: FakeContext) => Answer | undefined;
}

/** A daemon that knows run 12 by its key. */
async function daemonWith(t: TestContext, script: Script): Promise<{ daemon: FakeDaemon; context: FakeContext }> {
  const state = temporaryState(t);
  const context = fakeContext({ state });
  const daemon = await FakeDaemon.start(t, state, (asked) => {
    const answer = script.first?.(asked, context);
    if (answer !== undefined) return answer;
    const story = script.story ?? buildRun();
    if (asked.path === '/api/runs')
      return { json: { runs: [12], group: script.group ?? null, known: script.known ?? [] } };
    if (asked.path === '/api/runs/12') return { json: story };
    if (asked.path.endsWith('/logs')) return { pieces: asked.query.get('stream') === 'stdout' ? ['out\n'] : [] };
    if (asked.path === '/api/wait') return { pieces: ndjson({ type: 'run', run: story }, { type: 'end' }) };
    return undefined;
  });
  return { daemon, context };
}
const running: KnownRunJson = { run: 12, state: 'running', ended_at: null };
const keyedRun = (context: FakeContext, options: RunOptions = {}): Promise<number> =>
  run(context, ['make'], { stdin: 'none', key: 'k', ...options });

test('run with a key that a run has follows that, says so, and owns nothing', async (t) => {
  const { daemon, context } = await daemonWith(t, { known: [running] });
  assert.equal(await keyedRun(context), 0);
  assert.equal(context.out.text, 'out\n');
  assert.equal(context.err.text, 'orca: run 12 has this key already and runs; waiting for it\n');
  const submission = daemon.for('/api/runs')[0]?.body as SubmitRequest | undefined;
  assert.deepEqual(submission?.keys, ['k']);
  assert.deepEqual(daemon.for('/api/wait')[0]?.body, { runs: [12], detail: 'full' });
});

test('a run of that key that has succeeded is the answer: its output, its exit, and no second one', async (t) => {
  const { context } = await daemonWith(t, { known: [{ run: 12, state: 'succeeded', ended_at: Date.now() - 300_000 }] });
  assert.equal(await keyedRun(context), 0);
  assert.equal(context.out.text, 'out\n');
  assert.match(context.err.text, /^orca: run 12 has this key already and succeeded 5m ago; it is not run again\n$/);
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} on run leaves a run that is known by its key, and says how to come back`, async (t) => {
    const { daemon, context } = await daemonWith(t, {
      known: [running],
      story: buildRun({ state: 'running', exit_status: null, ended_at: null }),
      first: ({ path }, { signal: send }) => {
        if (path !== '/api/wait') return undefined;
        setImmediate(send, signal);
        return {
          pieces: (async function* () {
            await new Promise(() => undefined);
            yield '';
          })(),
        };
      },
    });
    assert.equal(await keyedRun(context), 130);
    assert.match(
      context.err.text,
      /no longer waiting; run 12 goes on\. `orca wait 12` waits for it, `orca kill 12` ends it\.\n$/,
    );
    assert.deepEqual(daemon.for('/api/kill'), []);
  });

  test(`${signal} on the run’s own client asks as its owner, and leaves a run that others asked for since`, async (t) => {
    const { daemon, context } = await daemonWith(t, {
      story: buildRun({ state: 'running', exit_status: null, ended_at: null }),
      first: ({ path }, { signal: send }) => {
        if (path === '/api/kill') return { json: { runs: [{ run: 12, result: 'goes-on', state: 'running' }] } };
        if (path !== '/api/wait') return undefined;
        setImmediate(send, signal);
        return {
          pieces: (async function* () {
            await new Promise(() => undefined);
            yield '';
          })(),
        };
      },
    });
    assert.equal(await keyedRun(context), 130);
    const asked = daemon.for('/api/kill')[0]?.body as { owner: unknown } | undefined;
    assert.equal(asked?.owner, 'token-1');
    assert.match(context.err.text, /another client asked for this run by its key; run 12 goes on\./);
  });
}

const submitted = async (
  t: TestContext,
  script: Script,
  options: SubmitOptions,
): Promise<{ status: number; context: FakeContext }> => {
  const { context } = await daemonWith(t, script);
  return { status: await submit(context, ['make'], options), context };
};

test('submit with a known key prints that run’s number and says how it stands; with --wait it waits for it', async (t) => {
  const one = await submitted(t, { known: [running] }, { key: 'k' });
  assert.deepEqual([one.status, one.context.out.text], [0, '12\n']);
  assert.equal(one.context.err.text, 'orca: run 12 has this key already and runs\n');
  const queued = await submitted(t, { known: [{ ...running, state: 'queued' }] }, { key: 'k', wait: true });
  assert.equal(queued.status, 0);
  assert.match(queued.context.err.text, /^orca: run 12 has this key already and waits in the queue; waiting for it\n/);
  const json = await submitted(t, { known: [running] }, { key: 'k', json: true });
  assert.deepEqual(JSON.parse(json.context.out.text), { runs: [12], group: null, known: [running] });
});

test('submit --wait --json prints the record of the run, and nothing else', async (t) => {
  const { status, context } = await submitted(t, {}, { wait: true, json: true });
  assert.equal(status, 0);
  assert.deepEqual(JSON.parse(context.out.text), buildRun());
});

test('a file of lines is one group over all its batches, which the last line on standard error names', async (t) => {
  const sent: SubmitRequest[] = [];
  let made = 0;
  const { context } = await daemonWith(t, {
    first: ({ path, body }) => {
      if (path !== '/api/runs') return undefined;
      const request = body as SubmitRequest;
      sent.push(request);
      const runs = request.commands.map(() => (made += 1));
      return { json: { runs, group: 1, known: [] } };
    },
  });
  const lines = join(temporaryState(t), 'lines');
  writeFileSync(lines, Array.from({ length: 2500 }, (_, at) => `line ${at}`).join('\n'));
  const file = join(temporaryState(t), 'id');
  assert.equal(await submit(context, ['echo'], { eachLine: lines, maxParallel: '3', idFile: file, key: 'k {}' }), 0);
  assert.deepEqual(
    sent.map(({ group, max_parallel, commands, keys }) => [group, max_parallel, commands.length, keys?.at(-1)]),
    [
      ['new', 3, 1000, 'k line 999'],
      [1, 3, 1000, 'k line 1999'],
      [1, 3, 500, 'k line 2499'],
    ],
  );
  assert.equal(context.err.text, 'orca: group g1: 2500 runs\n');
  assert.equal(readFileSync(file, 'utf8'), 'g1\n');
});

test('lines whose keys are known are told in one sentence, and are in the file of handles beside the group', async (t) => {
  const known = [
    { run: 5, state: 'succeeded', ended_at: 1 },
    { run: 6, state: 'running', ended_at: null },
  ];
  const { context } = await daemonWith(t, {
    first: ({ path }) => (path === '/api/runs' ? { json: { runs: [5, 6, 20], group: 20, known } } : undefined),
  });
  const folder = temporaryState(t);
  writeFileSync(join(folder, 'lines'), 'a\nb\nc\n');
  const options = { eachLine: join(folder, 'lines'), key: '{}', idFile: join(folder, 'id') };
  assert.equal(await submit(context, ['echo'], options), 0);
  assert.equal(
    context.err.text,
    'orca: group g20: 1 run\norca: 2 of 3 were there already by their keys, 1 of them over by now: runs 5 to 6\n',
  );
  assert.equal(readFileSync(join(folder, 'id'), 'utf8'), 'g20\n5\n6\n');
});

test('what cannot be is refused before anything is submitted', async (t) => {
  const { daemon, context } = await daemonWith(t, {});
  const folder = temporaryState(t);
  writeFileSync(join(folder, 'lines'), 'a\n');
  const eachLine = join(folder, 'lines');
  const refused: readonly (readonly [SubmitOptions, string])[] = [
    [{ idFile: join(folder, 'no', 'id') }, 'id-file-unwritable'],
    [{ maxParallel: '2' }, 'option-invalid'],
    [{ eachLine, maxParallel: '0' }, 'option-invalid'],
    [{ eachLine, key: 'same' }, 'option-invalid'],
    [{ key: 'a\u001B[2J' }, 'option-invalid'],
  ];
  for (const [options, code] of refused)
    await assert.rejects(submit(context, ['true'], options), { code, exitStatus: 120 });
  await assert.rejects(keyedRun(context, { idFile: folder }), { code: 'id-file-unwritable' });
  assert.deepEqual(daemon.asked, []);
});
