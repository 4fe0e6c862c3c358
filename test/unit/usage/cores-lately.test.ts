import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coresLately } from '../../../src/usage/cores-lately.ts';
import { Meter } from '../../../src/usage/meter.ts';

/** Samples at these seconds with these CPU seconds. */
const after = (...samples: [at: number, cpu: number][]): number | null => {
  const meter = new Meter(0);
  for (const [at, cpu] of samples) meter.sample(1, cpu, at);
  return coresLately(meter.marks, 2);
};

test('cores are told over the last two seconds', () => {
  assert.equal(after([1, 4], [10, 5], [11, 6], [12, 8]), 1.5);
});

test('before two seconds have passed they are told over what there was', () => {
  assert.equal(after([0.5, 1]), 2);
  assert.equal(after(), null);
  assert.equal(after([0.01, 1]), null);
});

test('after a pause without samples they are told over the whole of it', () => {
  assert.equal(after([1, 1], [101, 51]), 0.5);
});
