import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextWords } from '../../../src/evidence/next-words.ts';
import { mb } from './a-start.ts';

test('a raised start says its size and how it came about', () => {
  assert.equal(
    nextWords({ limitBytes: 256 * mb, raisedBytes: 384 * mb, growth: 1.5 }),
    'The next start gets 384 MB (limit × 1.5).',
  );
  assert.equal(
    nextWords({ limitBytes: 1001 * mb, raisedBytes: 1502 * mb, growth: 1.5 }),
    'The next start gets 1502 MB (limit × 1.5).',
  );
});

test('a raise that its ceiling cut says so', () => {
  assert.equal(
    nextWords({ limitBytes: 1000 * mb, raisedBytes: 1200 * mb, growth: 1.5 }),
    'The next start gets 1200 MB (the most that it may get).',
  );
});

test('a start of the same size says that', () => {
  const same = 'It is tried again at the same size, 1000 MB.';
  assert.equal(nextWords({ limitBytes: 1000 * mb, raisedBytes: null, growth: 1.5 }), same);
  assert.equal(nextWords({ limitBytes: 1000 * mb, raisedBytes: 1000 * mb, growth: 1 }), same);
  assert.equal(nextWords({ limitBytes: null, raisedBytes: null, growth: 1.5 }), 'It is tried again as it was.');
});
