import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retry } from '../../../src/cli/retry.ts';
import type { RetryRunsRequest } from '../../../src/wire/api.ts';
import type { Handler } from '../client/fake-daemon.ts';
import { failed, setUp } from './set-up.ts';

/** New runs are numbered from 101 on; of group 3, runs 4 and 6 failed. */
const daemonOf = (failedOf3 = [4, 6]): Handler => {
  let last = 100;
  return ({ path, body }) => {
    if (path === '/api/groups/3') return { json: { group: 3, failed: failedOf3 } };
    if (path === '/api/groups/7') return { json: { group: 7, failed: [] } };
    if (path !== '/api/retry') return { json: failed(5, 1) };
    const { runs: olds, instead = [] } = body as RetryRunsRequest;
    const runs = olds.map(() => (last += 1));
    const first = runs[olds.findIndex(({ of }) => of === 3)] ?? null;
    const group = instead.find((one) => one.group === 3)?.by ?? first;
    return { json: { runs, groups: group === null ? [] : [{ of: 3, group }], known: [] } };
  };
};

const askedOf = ({ asked }: { readonly asked: readonly { path: string; body: unknown }[] }): RetryRunsRequest[] =>
  asked.filter(({ path }) => path === '/api/retry').map(({ body }) => body as RetryRunsRequest);

test('retry of a group is that of its runs that did not succeed, as a group again; runs beside it are alone', async (t) => {
  const { daemon, context } = await setUp(t, daemonOf());
  assert.equal(await retry(context, ['5', 'g3', '5'], {}), 0);
  // The oldest first; told in the order of what was typed.
  assert.equal(context.out.text, '102\n101\n103\n');
  assert.equal(context.err.text, 'orca: 2 runs of group g3 again, as group g101\n');
  const [asked, ...others] = askedOf(daemon);
  assert.deepEqual(others, []);
  assert.equal(asked?.token, 'token-1');
  assert.deepEqual(asked.runs, [
    { run: 4, of: 3 },
    { run: 5, of: null },
    { run: 6, of: 3 },
  ]);
});

test('retry --json has the runs in the order of what was typed, and the one group that there is', async (t) => {
  const { context } = await setUp(t, daemonOf());
  assert.equal(await retry(context, ['g3', '9', '5'], { json: true }), 0);
  assert.equal(context.out.text, '{"runs":[101,103,104,102],"group":101,"known":[]}\n');
  assert.equal(context.err.text, '');
});

const many = Array.from({ length: 250 }, (_, index) => index + 1);

test('many are tried again in few requests of one token; what comes later knows what was tried again before it', async (t) => {
  const { daemon, context } = await setUp(t, daemonOf(many));
  assert.equal(await retry(context, ['g3'], {}), 0);
  assert.equal(context.out.text, many.map((run) => `${run + 100}\n`).join(''));
  assert.equal(context.err.text, 'orca: 250 runs of group g3 again, as group g101\n');
  const asked = askedOf(daemon);
  assert.deepEqual(
    asked.map(({ token, runs, more, instead = [] }) => [token, runs.length, more?.length, instead.length]),
    [
      ['token-1', 100, 150, 0],
      ['token-1', 100, undefined, 101],
      ['token-1', 50, undefined, 201],
    ],
  );
  assert.deepEqual(asked[1]?.instead?.at(0), { run: 1, by: 101 });
  assert.deepEqual(asked[1]?.instead?.at(-1), { group: 3, by: 101 });
});

test('an interrupt between two requests tells how many are queued again, in which group, and what ends them', async (t) => {
  for (const [typed, ends] of [
    [['g3'], ', as group g101, and go on; `orca kill g101` ends them'],
    [
      ['250', ...many.slice(0, 105).map(String)],
      `, and go on; \`orca kill ${many.slice(100, 200).join(' ')}\` ends them`,
    ],
  ] as const) {
    const handler = daemonOf(many);
    const { daemon, context } = await setUp(t, (asked) => {
      if (asked.path === '/api/retry') context.signal('SIGINT');
      return handler(asked);
    });
    assert.equal(await retry(context, typed, {}), 130);
    assert.equal(askedOf(daemon).length, 1);
    const of = typed.length === 1 ? 250 : typed.length;
    assert.equal(context.err.text, `orca: interrupted: 100 of ${of} runs are queued again${ends}\n`);
  }
});

test('what cannot be waited for any more is told', async (t) => {
  const { context } = await setUp(t, () => ({
    json: { runs: [101], known: [], not_after: [{ run: 101, after: [{ run: 2, any: false }] }] },
  }));
  assert.equal(await retry(context, ['9'], {}), 0);
  assert.equal(
    context.err.text,
    'orca: run 9 came after run 2, which did not succeed or is gone: run 101 does not wait for it\n',
  );
});

test('a group without a failure has nothing to retry, which is said and no error', async (t) => {
  const { daemon, context } = await setUp(t, daemonOf());
  assert.equal(await retry(context, ['g7'], { json: true }), 0);
  assert.equal(context.out.text, '{"runs":[],"group":null,"known":[]}\n');
  assert.equal(context.err.text, 'orca: group g7 has no run that is over and did not succeed\n');
  assert.equal(daemon.asked.length, 1);
});

test('what is no handle is refused before anything is asked', async (t) => {
  const { daemon, context } = await setUp(t, daemonOf());
  await assert.rejects(retry(context, ['5', 'x8'], {}), { code: 'handle-invalid', exitStatus: 120 });
  assert.deepEqual(daemon.asked, []);
});

test('a retry whose key a run has by now tells that run', async (t) => {
  const known = [{ run: 9, state: 'running', ended_at: null }];
  const { context } = await setUp(t, () => ({ json: { runs: [9], group: null, known } }));
  assert.equal(await retry(context, ['5'], {}), 0);
  assert.equal(context.err.text, 'orca: run 9 has this key already and runs\n');
});

test('what a group’s runs have by their keys is no part of the new group, nor ended by what ends that', async (t) => {
  const known = [9, 12].map((run) => ({ run, state: 'queued', ended_at: null }));
  const handler: Handler = ({ path }) =>
    path === '/api/groups/3'
      ? { json: { group: 3, failed: [4, 5, 6, 7] } }
      : { json: { runs: [9, 101, 12, 102], groups: [{ of: 3, group: 101 }], known } };
  const { context } = await setUp(t, handler);
  assert.equal(await retry(context, ['g3'], {}), 0);
  assert.equal(
    context.err.text,
    'orca: 2 runs of group g3 again, as group g101\norca: 2 of 4 were there already by their keys: runs 9, 12\n',
  );
  const stopped = await setUp(t, (asked) => {
    if (asked.path === '/api/retry') stopped.context.signal('SIGINT');
    return handler(asked);
  });
  assert.equal(await retry(stopped.context, ['g3'], {}), 130);
  assert.match(
    stopped.context.err.text,
    /interrupted: 2 of 4 runs are queued again, as group g101, .*`orca kill g101`/,
  );
});
