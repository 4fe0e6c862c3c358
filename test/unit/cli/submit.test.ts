import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gc, gcLines } from '../../../src/cli/gc.ts';
import { retry } from '../../../src/cli/retry.ts';
import type { Context } from '../../../src/cli/context.ts';
import { submit } from '../../../src/cli/submit.ts';
import { temporaryState, type Handler } from '../client/fake-daemon.ts';
import { buildRun } from './build-run.ts';
import { MemoryOutput } from './fake-context.ts';
import { failed, setUp, waiting } from './set-up.ts';

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
      await assert.rejects(retry(context, ['3'], options), { code: 'accepted-unprinted' });
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
  assert.equal(context.out.text, '{"runs":[7],"group":null,"known":[]}\n');
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
  assert.deepEqual(
    bodies.map((body) => (body as { more?: number }).more),
    [1, undefined],
    'the first says how many follow',
  );
  await submit(context, ['echo', 'a{}'], { eachLine: file, key: 'k-{}' });
  const keyed = daemon.for('/api/runs').slice(2);
  assert.deepEqual(
    keyed.map(({ body }) => (body as { more?: number }).more),
    [undefined, undefined],
    'of those with keys nobody knows how many are new',
  );
  assert.deepEqual(bodies[1]?.commands, [['echo', 'aline 1000']]);
  assert.deepEqual(
    context.out.text.trimEnd().split('\n').map(Number),
    Array.from({ length: 2002 }, (_, index) => index + 1),
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

test('an interrupt between two requests tells what is submitted and goes on; nothing more is sent', async (t) => {
  const folder = temporaryState(t);
  writeFileSync(join(folder, 'lines'), 'x\n'.repeat(2500));
  const sent: number[] = [];
  const { context } = await setUp(t, ({ path, body }) => {
    const { commands } = body as { commands: unknown[] };
    assert.equal(path, '/api/runs');
    sent.push(commands.length);
    context.signal('SIGINT');
    return { json: { runs: commands.map((_, index) => index + 7), group: 7, known: [] } };
  });
  const options = { eachLine: join(folder, 'lines'), idFile: join(folder, 'id'), wait: true };
  assert.equal(await submit(context, ['true'], options), 130);
  assert.deepEqual(sent, [1000]);
  assert.equal(context.out.text.split('\n').length - 1, 1000);
  assert.equal(readFileSync(join(folder, 'id'), 'utf8'), 'g7\n');
  assert.equal(
    context.err.text,
    'orca: interrupted: 1000 of 2500 lines are submitted, as group g7, and go on; `orca kill g7` ends them\n',
  );
});

test('runs that stay are told apart: what is needed, and what could not be deleted', () => {
  const deleted = { runs: 1, logs: 0, bytes: 1, kept: 2, failed: 1, dry_run: false };
  const [first, ...rest] = gcLines(deleted);
  assert.match(first ?? '', /^deleted 1 run: /);
  assert.equal(rest.length, 2);
  assert.match(rest[0] ?? '', /^2 runs stay: unfinished runs or a key still need them$/);
  assert.match(rest[1] ?? '', /^1 run stays: what it wrote could not be deleted \(daemon\.log says why\)/);
});

test('a deletion by other settings than the daemon has warns, as a retry does', async (t) => {
  const deleted = { runs: 0, logs: 0, bytes: 0, kept: 0, dry_run: false };
  const handler: Handler = ({ path }) => {
    if (path === '/api/config') return { json: [{ name: 'ORCA_KEEP_LOGS_MB', value: 512 }] };
    return { json: path === '/api/gc' ? deleted : { runs: [1] } };
  };
  for (const command of [(context: Context) => gc(context, {}), (context: Context) => retry(context, ['5'], {})]) {
    const { context } = await setUp(t, handler, { env: { ORCA_KEEP_LOGS_MB: '5' } });
    assert.equal(await command(context), 0);
    assert.match(context.err.text, /ORCA_KEEP_LOGS_MB is 5 here .* the daemon goes by 512/);
  }
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
