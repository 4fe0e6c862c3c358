import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lostOutputWords, withFoundOutput } from '../../../src/runs/lost-output.ts';

const streams = ['standard output', 'standard error'];

test('why output is lost is said with where it would be, and which of it, as far as that is known', () => {
  assert.match(
    lostOutputWords({ kind: 'stage-full', folder: '/stage', streams: [] }),
    /^\/stage \(ORCA_LOG_STAGE\) was full/,
  );
  assert.match(
    lostOutputWords({ kind: 'log-full', folder: '/logs/1', streams: [] }),
    /^the disk of \/logs\/1 was full/,
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

test('what was put back is told as lost no more, and what was not still is', () => {
  const told = (lost: readonly string[]): string =>
    `succeeded (warning: ${lostOutputWords({ kind: 'stage-removed', folder: '/$&stage', streams: lost })})`;
  const all = withFoundOutput(told(streams), streams);
  assert.equal(all.isWhole, true);
  assert.match(
    all.text,
    /^succeeded \(warning: \/\$&stage .* had its standard output and standard error no more .*: put back since, and in its log\)$/,
  );
  assert.deepEqual(withFoundOutput(told(streams), ['standard error']), {
    text: told(['standard output']),
    isWhole: false,
  });
  assert.equal(withFoundOutput(told(['standard output']), ['standard output']).isWhole, true);
  for (const text of [told(['standard output']), 'succeeded'])
    assert.deepEqual(withFoundOutput(text, ['standard error']), { text, isWhole: false });
});
