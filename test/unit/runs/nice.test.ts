import assert from 'node:assert/strict';
import { test } from 'node:test';
import { niceOf } from '../../../src/runs/nice.ts';

test('a run on control has nice 10, or more where runs are given more; elsewhere it has what runs are given', () => {
  assert.equal(niceOf('control', 0), 10);
  assert.equal(niceOf('control', -5), 10);
  assert.equal(niceOf('control', 15), 15);
  for (const placement of [null, 'default', 'worker:big', 'Control']) assert.equal(niceOf(placement, 3), 3);
});
