import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logsAhead, logsFindings } from '../../../src/cli/logs-finding.ts';

const to = 's3://bucket/logs';

test('logs that stay on this machine are not worth a line', () => {
  assert.deepEqual(logsFindings(undefined, 0), []);
  assert.deepEqual(logsFindings({ to: null, waiting: 0, trouble: null }, 0), []);
  assert.deepEqual(logsAhead('/var/logs'), []);
});

test('where logs go is told, and how many are on their way', () => {
  const [idle] = logsFindings({ to, waiting: 0, trouble: null }, 0);
  assert.deepEqual(idle, { what: 'logs', level: 'ok', found: `moved to ${to}`, help: null });
  const [moving] = logsFindings({ to, waiting: 1, trouble: null }, 0);
  assert.equal(moving?.found, `moved to ${to}; those of 1 run are on their way`);
  assert.equal(logsAhead(to)[0]?.found, `to be moved to ${to}`);
});

test('logs that cannot be moved are a warning with why, and since when', () => {
  const trouble = { why: 'NoSuchBucket: it is not there', since: 1000 };
  const [found] = logsFindings({ to, waiting: 12, trouble }, 61_000);
  assert.equal(found?.level, 'warn');
  assert.equal(
    found.found,
    `those of 12 runs have waited here for 1m, since they cannot be moved to ${to}: NoSuchBucket: it is not there`,
  );
  assert.match(
    logsFindings({ to: null, waiting: 1, trouble }, 0)[0]?.found ?? '',
    /waited here for 0 ms, since they cannot be moved: No/,
  );
  const earlier = { ...trouble, to: 's3://earlier/logs' };
  assert.match(
    logsFindings({ to, waiting: 1, trouble: earlier }, 0)[0]?.found ?? '',
    /moved to s3:\/\/earlier\/logs: No/,
  );
});
