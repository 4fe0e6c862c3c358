import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storyLines } from '../../../src/cli/story.ts';
import { buildNow as now, buildRun } from './build-run.ts';

const told = (changes: Parameters<typeof buildRun>[0]): string[] =>
  storyLines(buildRun({ ...changes, starts: [] }), now, 80).filter((line) =>
    /^(request|needs|after|group|key|tags) /.test(line),
  );

test('a run’s story says what it needs, waits for, belongs to and is found by, without a byte that moves the cursor', () => {
  const lines = told({
    request: { cpus: 2, memory_min_bytes: null, memory_max_bytes: null },
    retries: 3,
    retry_on: { codes: [75, 111], verdicts: ['timed-out'] },
    gpus: 2,
    locks: ['db\u001B[2J', 'disk'],
    resources: { licence: 3 },
    after: [
      { run: 12, any: false },
      { group: 7, any: true },
    ],
    group: 9,
    max_parallel: 4,
    key: 'build\u001B[31m',
    tags: ['nightly', '\u202Eevil'],
  });
  assert.deepEqual(lines, [
    'request    2 cpus, no memory asked for, 3 retries on exit codes 75, 111 or timed-out',
    'needs      2 GPUs, lock db\\x1b[2J, lock disk, 3 of licence',
    'after      run 12, group g7 however it ends',
    'group      g9, at most 4 of it at once',
    'key        build\\x1b[31m',
    'tags       nightly, \\u202eevil',
  ]);
});

test('what was not asked for is not told', () => {
  assert.deepEqual(
    told({}).map((line) => line.split(' ')[0]),
    ['request'],
  );
  assert.match(told({ group: 9 })[1] ?? '', /^group +g9$/);
  assert.match(told({ gpus: 1 })[1] ?? '', /^needs +1 GPU$/);
});
