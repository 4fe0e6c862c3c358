import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retry } from '../../../src/cli/retry.ts';
import type { RetryRequest } from '../../../src/wire/api.ts';
import type { Handler } from '../client/fake-daemon.ts';
import { buildRun } from './build-run.ts';
import { failed, setUp } from './set-up.ts';

/** New runs are numbered from 101 on; of group 3, runs 4 and 6 failed. */
const daemonOf = (): Handler => {
  let last = 100;
  return ({ path, body }) => {
    if (path === '/api/groups/3') return { json: { group: 3, failed: [4, 6] } };
    if (path === '/api/groups/7') return { json: { group: 7, failed: [] } };
    if (path === '/api/runs/8') return { json: buildRun({ id: 8, state: 'running' }) };
    if (path.endsWith('/retry')) {
      last += 1;
      const { group } = body as RetryRequest;
      return { json: { runs: [last], group: group === 'new' ? last : (group ?? null), known: [] } };
    }
    return { json: failed(5, 1) };
  };
};

test('retry of a group is that of its runs that did not succeed, as a group again; runs beside it are alone', async (t) => {
  const { daemon, context } = await setUp(t, daemonOf());
  assert.equal(await retry(context, ['5', 'g3', '5'], {}), 0);
  // The oldest first; told in the order of what was typed.
  assert.equal(context.out.text, '102\n101\n103\n');
  assert.equal(context.err.text, 'orca: 2 runs of group g3 again, as group g101\n');
  const asked = daemon.asked.filter(({ path }) => path.endsWith('/retry'));
  assert.deepEqual(
    asked.map(({ path, body }) => [path, (body as RetryRequest).token, (body as RetryRequest).group]),
    [
      ['/api/runs/4/retry', 'token-1.4', 'new'],
      ['/api/runs/5/retry', 'token-1.5', undefined],
      ['/api/runs/6/retry', 'token-1.6', 101],
    ],
  );
});

test('what came after others comes after their retries, and what it cannot come after any more is told', async (t) => {
  const usual = daemonOf();
  const after = [
    { run: 5, any: true },
    { group: 3, any: false },
    { run: 2, any: false },
  ];
  const { daemon, context } = await setUp(t, (asked) => {
    if (asked.path === '/api/runs/9') return { json: buildRun({ id: 9, state: 'failed', after }) };
    const answer = usual(asked);
    if (asked.path !== '/api/runs/9/retry') return answer;
    return { json: { ...(answer as { json: object }).json, not_after: [{ run: 2, any: false }] } };
  });
  assert.equal(await retry(context, ['9', '5', 'g3'], {}), 0);
  const last = daemon.asked.filter(({ path }) => path.endsWith('/retry')).at(-1);
  assert.equal(last?.path, '/api/runs/9/retry');
  assert.deepEqual((last.body as RetryRequest).instead, [
    { run: 5, by: 102 },
    { group: 3, by: 101 },
  ]);
  assert.equal(context.out.text, '104\n102\n101\n103\n');
  assert.match(
    context.err.text,
    /run 9 came after run 2, which did not succeed or is gone: run 104 does not wait for it\n/,
  );
});

test('a group without a failure has nothing to retry, which is said and no error', async (t) => {
  const { daemon, context } = await setUp(t, daemonOf());
  assert.equal(await retry(context, ['g7'], { json: true }), 0);
  assert.equal(context.out.text, '{"runs":[],"group":null,"known":[]}\n');
  assert.equal(context.err.text, 'orca: group g7 has no run that is over and did not succeed\n');
  assert.equal(daemon.asked.length, 1);
});

test('one of several that is not over, or no handle, is refused before any is queued', async (t) => {
  const { daemon, context } = await setUp(t, daemonOf());
  await assert.rejects(retry(context, ['5', '8'], {}), { code: 'retry-too-early', exitStatus: 120 });
  await assert.rejects(retry(context, ['5', 'x8'], {}), { code: 'handle-invalid', exitStatus: 120 });
  assert.deepEqual(
    daemon.asked.filter(({ path }) => path.endsWith('/retry')),
    [],
  );
});

test('a retry whose key a run has by now tells that run', async (t) => {
  const known = [{ run: 9, state: 'running', ended_at: null }];
  const { context } = await setUp(t, () => ({ json: { runs: [9], group: null, known } }));
  assert.equal(await retry(context, ['5'], {}), 0);
  assert.equal(context.err.text, 'orca: run 9 has this key already and runs\n');
});
