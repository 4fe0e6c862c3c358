import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterDeath, afterSuccess, raiseEndsAfter, raiseFor, type Raise } from '../../../src/runs/raise.ts';
import { bytes } from '../../../src/units/brands.ts';

const range = { min: bytes(100), max: bytes(400) };
const raise = (size: number, successes = 0): Raise => ({ bytes: bytes(size), request: range, successes });

test('a raise never lowers an existing one, and a death begins the count of successes anew', () => {
  assert.deepEqual(afterDeath(null, bytes(150), range), raise(150));
  assert.deepEqual(afterDeath(raise(225, 7), bytes(150), range), raise(225));
  assert.deepEqual(afterDeath(raise(150, 7), bytes(225), range), raise(225));
});

test('a raise ends after the 20th later success', () => {
  let known: Raise | null = raise(150);
  for (let success = 1; success < raiseEndsAfter; success += 1) {
    known = known === null ? null : afterSuccess(known);
    assert.equal(known?.successes, success);
  }
  assert.equal(known === null ? 'gone' : afterSuccess(known), null);
});

test('the same request keeps a raise, another one forgets it', () => {
  assert.equal(raiseFor(raise(150), range), 150);
  assert.equal(raiseFor(raise(150), { min: bytes(100), max: bytes(500) }), null);
  assert.equal(raiseFor(raise(150), { min: null, max: null }), null);
  assert.equal(raiseFor(null, range), null);
  assert.deepEqual(afterDeath(raise(300), bytes(150), { ...range, min: bytes(50) }).bytes, 150);
});
