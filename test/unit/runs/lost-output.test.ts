import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lostOutputWords, saysLostOutput } from '../../../src/runs/lost-output.ts';

test('a text that says that output is lost is known as such, and no other', () => {
  const { full, gone } = lostOutputWords;
  for (const words of [full('/tmp/orca-logs'), gone('/tmp/orca-logs', ['standard output'])])
    assert.equal(saysLostOutput(`ended well; ${words}`), true, words);
  for (const text of [null, 'ended well', '/tmp/orca-logs (ORCA_LOG_STAGE) cannot be made: EEXIST'])
    assert.equal(saysLostOutput(text), false);
});
