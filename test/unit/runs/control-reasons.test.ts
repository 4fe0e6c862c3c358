import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pressureReason, slotsReason, type MinuteSeen } from '../../../src/runs/control-reasons.ts';

const now = 1_800_000_000_000;
const minute = (parts: Partial<MinuteSeen>, endedMsAgo = 0): MinuteSeen => ({
  endedAt: now - endedMsAgo,
  memory: 10,
  disk: { path: '/', percent: 10 },
  ...parts,
});

test('a fresh minute over 85 % of memory or of its fullest disk holds with that reason; exactly 85 does not', () => {
  assert.equal(
    pressureReason(minute({ memory: 91.2 }), now),
    '92 % of the memory was in use in the newest minute; nothing starts on control while that is over 85 %',
  );
  assert.equal(
    pressureReason(minute({ disk: { path: '/data', percent: 85.001 } }), now),
    'the disk of /data was 86 % full in the newest minute; nothing starts on control while that is over 85 %',
  );
  assert.equal(pressureReason(minute({ memory: 85, disk: { path: '/', percent: 85 } }), now), null);
});

test('missing samples, and a newest minute that ended over 3 minutes ago, hold nothing', () => {
  const full = { memory: 99, disk: { path: '/', percent: 99 } };
  assert.equal(pressureReason(null, now), null);
  assert.equal(pressureReason(minute({ memory: null, disk: null }), now), null);
  assert.notEqual(pressureReason(minute(full, 180_000), now), null);
  assert.equal(pressureReason(minute(full, 180_001), now), null);
});

test('a slot is free below the number that is set, and with none the reason names how many there are', () => {
  assert.equal(slotsReason(0, 2), null);
  assert.equal(slotsReason(1, 2), null);
  assert.equal(slotsReason(2, 2), '2 runs are on control, and 2 may be (ORCA_CONTROL_MAX_RUNS); waits for one to end');
  assert.match(slotsReason(1, 1) ?? '', /^1 run is on control, and 1 may be /);
});
