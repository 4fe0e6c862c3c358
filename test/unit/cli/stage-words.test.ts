import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runWaitingWords, stageFindings, stageLine } from '../../../src/cli/stage-words.ts';

const empty = { folder: '/tmp/orca-logs', full: false, waiting: [] };
const waitingOf = (...runs: number[]) => runs.map((run) => ({ run, start: 1, why: 'ENOSPC: no space left on device' }));

test('a stage with room in which nothing waits is not worth a word; nor is a daemon that does not tell', () => {
  for (const stage of [undefined, empty]) {
    assert.deepEqual(stageFindings(stage), []);
    assert.equal(stageLine(stage), null);
  }
});

test('what waits in the stage of an earlier daemon is told with that folder', () => {
  const [one, two] = waitingOf(4, 7);
  const waiting = [
    { ...one, folder: '/tmp/orca-logs' },
    { ...two, folder: '/scratch/orca-logs' },
  ] as typeof empty.waiting;
  const words = 'output of runs 4, 7 waits in /tmp/orca-logs and /scratch/orca-logs and is not in the logs';
  assert.equal(stageLine({ ...empty, waiting }), `${words} (\`orca doctor\`)`);
});

test('a full stage and what waits in it are two findings, with where to look, and one line of the overview', () => {
  const stage = { ...empty, full: true, waiting: waitingOf(4, 4, 7) };
  assert.deepEqual(
    stageFindings(stage).map(({ level, found, help }) => [level, found, help]),
    [
      [
        'warn',
        '/tmp/orca-logs has less than 1 MB of room: runs with secrets and on control wait',
        'make room there, or set ORCA_LOG_STAGE to a larger place',
      ],
      [
        'warn',
        'output of runs 4, 7 waits in /tmp/orca-logs and is not in the logs: ENOSPC: no space left on device',
        '`orca logs 4` says more of run 4',
      ],
    ],
  );
  assert.equal(
    stageLine(stage),
    '/tmp/orca-logs is full: runs with secrets and on control wait; output of runs 4, 7 waits in /tmp/orca-logs and is not in the logs (`orca doctor`)',
  );
});

test('of many runs five are named and the others counted', () => {
  assert.match(stageLine({ ...empty, waiting: waitingOf(1, 2, 3, 4, 5, 6, 7) }) ?? '', /runs 1, 2, 3, 4, 5 and 2 more/);
});

test('of a run each start whose output waits is told, with why', () => {
  const starts = [{ start: 1 }, { start: 2, logs_waiting: 'EISDIR' }, { start: 3, logs_waiting: null }];
  assert.deepEqual(runWaitingWords({ id: 9, starts: starts as never }), [
    'start 2: output of it waits in ORCA_LOG_STAGE and is not in its log: EISDIR; `orca logs 9 --start 2` says more',
  ]);
});
