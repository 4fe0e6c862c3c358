import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultKeyWindow, keyState } from '../../../src/runs/key.ts';
import { runStates } from '../../../src/runs/states.ts';
import { isFinal } from '../../../src/runs/transitions.ts';
import { millis } from '../../../src/units/brands.ts';

const now = millis(100_000_000);
const window = millis(1000);
const state = (run: Partial<Parameters<typeof keyState>[0]>, span = window) =>
  keyState({ state: 'running', ended_at: null, kill_at: null, ...run }, now, span);

test('a run holds its key until it is over, but for one that was told to end', () => {
  for (const one of runStates.filter((name) => !isFinal(name))) {
    assert.equal(state({ state: one }), 'held');
    assert.equal(state({ state: one, kill_at: millis(1) }), 'dying');
  }
});

test('a success holds its key for less than the window, whatever was asked of it; any other end frees it', () => {
  for (const one of runStates.filter(isFinal)) {
    const within = one === 'succeeded' ? 'held' : 'free';
    assert.equal(state({ state: one, ended_at: millis(now - 999) }), within);
    assert.equal(state({ state: one, ended_at: millis(now - 999), kill_at: millis(1) }), within);
    assert.equal(state({ state: one, ended_at: millis(now - 1000) }), 'free');
    assert.equal(state({ state: one, ended_at: now }, millis(0)), 'free');
  }
});

test('a day is the usual window', () => assert.equal(defaultKeyWindow, 24 * 3600 * 1000));
