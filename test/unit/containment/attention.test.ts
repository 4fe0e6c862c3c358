import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCalm, lookDue, type Attention } from '../../../src/containment/attention.ts';

const calm: Attention = { watched: true, stirredMs: null, lookedMs: 0, held: false };

test('a start that is calm and watched is looked at every 5 s', () => {
  assert.equal(lookDue(calm, 4999), false);
  assert.equal(lookDue(calm, 5000), true);
});

test('one that was not looked at yet is looked at', () => {
  assert.equal(lookDue({ ...calm, lookedMs: null }, 0), true);
});

test('one that the kernel does not tell of is looked at every time', () => {
  assert.equal(lookDue({ ...calm, watched: false }, 1), true);
});

test('one that was held when it was last looked at is looked at every time', () => {
  assert.equal(lookDue({ ...calm, held: true }, 1), true);
  assert.equal(isCalm({ ...calm, held: true }, 1e9), false);
});

test('one whose events changed is looked at every time for 10 s, and is calm then', () => {
  const stirred: Attention = { ...calm, stirredMs: 1000, lookedMs: 10_998 };
  assert.equal(lookDue(stirred, 10_999), true);
  assert.equal(isCalm(stirred, 10_999), false);
  assert.equal(lookDue(stirred, 11_000), false);
  assert.equal(isCalm(stirred, 11_000), true);
});
