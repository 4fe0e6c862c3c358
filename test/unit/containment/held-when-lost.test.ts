import assert from 'node:assert/strict';
import { test } from 'node:test';
import { heldWhenLost, type LastReading } from '../../../src/containment/held-when-lost.ts';
import { noEvidence } from '../../../src/evidence/evidence.ts';
import { verdict } from '../../../src/evidence/verdict.ts';

const gb = 1024 ** 3;
const reading = (changes: Partial<LastReading> = {}): LastReading => ({
  currentBytes: gb,
  limitBytes: gb,
  fullAvg10: 90,
  ageMs: 2000,
  ...changes,
});
const silent = (last: LastReading | null): ReturnType<typeof verdict> =>
  verdict({ ...noEvidence, lost: 'heartbeat', limitBytes: gb, heldWhenLost: heldWhenLost(last) });

test('a heartbeat that goes stale while the run is held is out of memory, with the held text, and raises', () => {
  const judged = silent(reading());
  assert.deepEqual([judged.verdict, judged.evidence, judged.raises], ['out-of-memory', 'held', true]);
  assert.match(judged.text, /^out of memory at 1024 MB: held there when its heartbeat stopped/);
});

test('one that goes stale elsewhere is lost: below the limit, or without the pressure, or when nothing was read', () => {
  for (const last of [
    reading({ currentBytes: 0.95 * gb - 1 }),
    reading({ fullAvg10: 49.99 }),
    reading({ fullAvg10: null }),
    reading({ currentBytes: null }),
    null,
  ]) {
    const judged = silent(last);
    assert.deepEqual([judged.verdict, judged.evidence, judged.raises], ['lost', 'heartbeat', false]);
  }
});

test('both edges of held are those of a run that is watched', () => {
  assert.equal(heldWhenLost(reading({ currentBytes: 0.95 * 100 * gb, limitBytes: 100 * gb, fullAvg10: 50 })), true);
});

test('a reading that was over 10 s old when the last heartbeat came proves nothing', () => {
  assert.equal(heldWhenLost(reading({ ageMs: 10_000 })), true);
  assert.equal(heldWhenLost(reading({ ageMs: 10_001 })), false);
});
