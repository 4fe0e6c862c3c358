import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logsAhead, logsFindings, logsLine } from '../../../src/cli/logs-finding.ts';

const to = 's3://bucket/logs';

test('logs that stay on this machine are not worth a line', () => {
  assert.deepEqual(logsFindings(undefined, 0), []);
  assert.deepEqual(logsFindings({ to: null, waiting: 0, troubles: [] }, 0), []);
  assert.deepEqual(logsAhead('/var/logs'), []);
});

test('where logs go is told, and how many are on their way', () => {
  const [idle] = logsFindings({ to, waiting: 0, troubles: [] }, 0);
  assert.deepEqual(idle, { what: 'logs', level: 'ok', found: `moved to ${to}`, help: null });
  const [moving] = logsFindings({ to, waiting: 1, troubles: [] }, 0);
  assert.equal(moving?.found, `moved to ${to}; those of 1 run are on their way`);
  assert.equal(logsAhead(to)[0]?.found, `to be moved to ${to}`);
});

test('logs that cannot be moved are a warning with why, and since when', () => {
  const trouble = { to, why: 'NoSuchBucket: it is not there', since: 1000, runs: 12 };
  const [found, ...more] = logsFindings({ to, waiting: 12, troubles: [trouble] }, 61_000);
  assert.equal(found?.level, 'warn');
  assert.equal(
    found.found,
    `those of 12 runs have waited here for 1m, since they cannot be moved to ${to}: NoSuchBucket: it is not there`,
  );
  assert.deepEqual(more, []);
  assert.match(
    logsFindings({ to: null, waiting: 1, troubles: [{ ...trouble, to: null, runs: 1 }] }, 0)[0]?.found ?? '',
    /those of 1 run have waited here for 0 ms, since they cannot be moved: No/,
  );
});

test('each place that is away has its line, beside that of one that works', () => {
  const away = { to: 's3://earlier/logs', why: 'gone', since: 0, runs: 2 };
  const troubles = [away, { ...away, to: 's3://other/logs', runs: 1 }];
  const found = logsFindings({ to, waiting: 4, troubles }, 0).map((finding) => finding.found);
  assert.equal(found.length, 3);
  assert.equal(found[0], `moved to ${to}; those of 1 run are on their way`);
  assert.match(found[1] ?? '', /^those of 2 runs .* to s3:\/\/earlier\/logs: gone$/);
  assert.match(found[2] ?? '', /^those of 1 run .* to s3:\/\/other\/logs: gone$/);
  assert.equal(
    logsLine({ to, waiting: 4, troubles: [away] }),
    'those of 2 runs are here and cannot be moved to s3://earlier/logs: gone (`orca doctor`)',
  );
  assert.equal(logsLine({ to, waiting: 4, troubles: [] }), null);
});
