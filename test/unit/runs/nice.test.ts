import assert from 'node:assert/strict';
import { test } from 'node:test';
import { niceOf } from '../../../src/runs/nice.ts';

test('a run on control stands back as far as is set for control, or further where runs do; elsewhere as far as runs do', () => {
  assert.equal(niceOf({ usual: 0, control: 10 }), 10);
  assert.equal(niceOf({ usual: -5, control: 10 }), 10);
  assert.equal(niceOf({ usual: 15, control: 10 }), 15);
  assert.equal(niceOf({ usual: 3, control: null }), 3);
});
