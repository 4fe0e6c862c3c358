import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kill } from '../../../src/cli/kill.ts';
import { wait } from '../../../src/cli/wait.ts';
import { ndjson, type Handler } from '../client/fake-daemon.ts';
import { buildRun } from './build-run.ts';
import { failed, setUp, waiting } from './set-up.ts';

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

test('wait exits with the run’s status also where what it wrote cannot be shown, and says why', async (t) => {
  const error = { code: 'log-values-lost', message: 'Output of run 9 cannot be masked.', hint: '', exit: 120 };
  const { context } = await setUp(t, (request) =>
    request.path.endsWith('/logs')
      ? { status: 409, pieces: [JSON.stringify({ error })] }
      : waiting(failed(9, 3))(request),
  );
  assert.equal(await wait(context, ['9'], {}), 3);
  assert.match(context.err.text, /Output of run 9 cannot be masked\.\norca: run 9: failed: exit code 3/);
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

test('a command for runs wants at least one, and --since is only for --next', async (t) => {
  const { context, daemon } = await setUp(t, () => undefined);
  await assert.rejects(wait(context, [], {}), { code: 'usage-invalid' });
  await assert.rejects(kill(context, [], {}), { code: 'usage-invalid' });
  await assert.rejects(wait(context, ['4'], { since: '3' }), { code: 'usage-invalid' });
  assert.equal(daemon.asked.length, 0);
});
