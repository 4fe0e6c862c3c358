import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSince } from '../../../src/cli/since.ts';

const now = Date.UTC(2026, 10, 30, 12);

test('where to begin is the number of an event, a time ago, or a moment, which is UTC unless it says otherwise', () => {
  const at = Date.UTC(2026, 10, 30, 8, 12, 3);
  for (const [typed, since] of [
    ['417', { id: 417 }],
    ['0', { id: 0 }],
    ['10m', { at: now - 600_000 }],
    ['1h30m', { at: now - 5_400_000 }],
    ['1.5h', { at: now - 5_400_000 }],
    ['2026-11-30T08:12:03Z', { at }],
    ['2026-11-30 08:12:03', { at }],
    ['2026-11-30T09:12:03+01:00', { at }],
    ['2026-11-30 08:12', { at: at - 3000 }],
    ['2026-11-30', { at: Date.UTC(2026, 10, 30) }],
  ] as const)
    assert.deepEqual(parseSince(typed, now), since, typed);
});

test('anything else is refused with what can be written', () => {
  for (const typed of ['', 'yesterday', '-5', '2026-13-40', '2026-11-30T99:00', '1e3'])
    assert.throws(() => parseSince(typed, now), /refused|not a duration/, typed);
});
