import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lostOutputWords } from '../../../src/runs/lost-output.ts';

const streams = ['standard output', 'standard error'];

test('why output is lost is said with where it would be, and which of it, as far as that is known', () => {
  assert.match(
    lostOutputWords({ kind: 'stage-full', folder: '/stage', streams: [] }),
    /^\/stage \(ORCA_LOG_STAGE\) was full/,
  );
  assert.match(
    lostOutputWords({ kind: 'stage-removed', folder: '/stage', streams }),
    /^\/stage \(ORCA_LOG_STAGE\) has its standard output and standard error no more, .*: removed while it ran$/,
  );
  assert.match(
    lostOutputWords({ kind: 'log-removed', folder: '/logs/1', streams: ['standard error'] }),
    /^\/logs\/1 has its standard error no more, .*: deleted, moved or replaced while it ran$/,
  );
});
