import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FadingPressure } from '../../../src/containment/fading-pressure.ts';

test('what is caused now counts whole, and what was caused before as far as an average over 10 s remembers it', () => {
  const fading = new FadingPressure();
  assert.equal(fading.note(80, 1000), 80);
  assert.equal(Math.round(fading.note(0, 11_000)), 29, '1/e of it');
  assert.equal(fading.note(50, 12_000), 50, 'more than what is left');
  assert.equal(fading.note(10, 12_000), 50);
  assert.ok(fading.note(10, 40_000) === 10);
});

test('a clock that stands still, or goes back, forgets nothing', () => {
  const fading = new FadingPressure();
  fading.note(80, 1000);
  assert.equal(fading.note(0, 1000), 80);
  assert.equal(fading.note(0, 500), 80);
});
