import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupLines } from '../../../src/cli/group-story.ts';
import { status } from '../../../src/cli/status.ts';
import type { GroupJson } from '../../../src/wire/api.ts';
import { buildRun } from './build-run.ts';
import { setUp } from './set-up.ts';

const group: GroupJson = {
  group: 3,
  name: 'press\u001B[2J',
  argv: ['xz', 'a b'],
  submitted_at: 0,
  max_parallel: 2,
  runs: [3, 4, 5, 9],
  counts: { succeeded: 1, queued: 1, failed: 2 },
  failed: [4, 9],
  failures: [buildRun({ id: 4, state: 'failed', text: 'exit code 1\u001B[2J' })],
};

test('a group’s story counts its runs by state and names the first that failed', () => {
  assert.deepEqual(groupLines(group, 60_000), [
    'group      g3 (press\\x1b[2J)',
    'runs       3 to 5, 9: 1 queued, 1 succeeded, 2 failed',
    "first      xz 'a b'",
    'at once    at most 2',
    'submitted  1970-01-01 00:00:00 UTC (1m ago)',
    '',
    'run 4 failed: exit code 1\\x1b[2J',
    'and 1 more that did not succeed',
  ]);
});

test('status of a group asks for that, also as JSON; anything else is no handle', async (t) => {
  const { daemon, context } = await setUp(t, () => ({ json: group }));
  assert.equal(await status(context, 'g3', { json: true }), 0);
  assert.deepEqual(JSON.parse(context.out.text), group);
  assert.equal(daemon.asked.at(-1)?.path, '/api/groups/3');
  await assert.rejects(status(context, 'G3', {}), { code: 'handle-invalid', exitStatus: 120 });
});
