import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whyKept, type AgedRun } from '../../../src/runs/retention.ts';
import { millis, runId } from '../../../src/units/brands.ts';

const hour = 3_600_000;
const now = millis(1000 * hour);
const run = (change: Partial<AgedRun> = {}): AgedRun => ({
  id: runId(5),
  state: 'succeeded',
  ended_at: millis(999 * hour),
  key: null,
  group_id: null,
  keyWindow: millis(24 * hour),
  ...change,
});
const nothing = { runs: new Set<never>(), groups: new Set<never>() };

test('a run that is over and that nothing needs may go', () => {
  assert.equal(whyKept(run(), nothing, now), null);
});

test('unfinished work never goes', () => {
  for (const state of ['queued', 'starting', 'running'] as const)
    assert.equal(whyKept(run({ state, ended_at: null }), nothing, now), 'unfinished');
});

test('what unfinished work comes after stays, alone or as part of a group', () => {
  assert.equal(whyKept(run(), { ...nothing, runs: new Set([runId(5)]) }, now), 'needed');
  assert.equal(whyKept(run({ group_id: 3 }), { ...nothing, groups: new Set([3]) }, now), 'needed');
  assert.equal(whyKept(run({ group_id: 4 }), { runs: new Set([runId(4)]), groups: new Set([3]) }, now), null);
});

test('a success that holds its key stays while it does, and a failure holds none', () => {
  const ended = (ago: number) => ({ key: 'k', ended_at: millis(1000 * hour - ago) });
  assert.equal(whyKept(run(ended(24 * hour - 1)), nothing, now), 'key');
  assert.equal(whyKept(run(ended(24 * hour)), nothing, now), null);
  assert.equal(whyKept(run({ ...ended(24 * hour), keyWindow: millis(25 * hour) }), nothing, now), 'key');
  assert.equal(whyKept(run({ ...ended(1), state: 'failed' }), nothing, now), null);
});
