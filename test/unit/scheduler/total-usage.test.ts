import assert from 'node:assert/strict';
import { test } from 'node:test';
import { totalUsage } from '../../../src/scheduler/total-usage.ts';
import { bytes } from '../../../src/units/brands.ts';

const unknown = { peak_rss_bytes: null, cpu_seconds: null, peak_cpus: null };

test('a run used the largest peaks of its starts and the sum of their CPU', () => {
  const starts = [
    { peak_rss_bytes: bytes(5), cpu_seconds: 1.5, peak_cpus: 2 },
    unknown,
    { peak_rss_bytes: bytes(3), cpu_seconds: 0.5, peak_cpus: 4 },
  ];
  assert.deepEqual(totalUsage(starts), { peak_rss_bytes: 5, cpu_seconds: 2, peak_cpus: 4 });
});

test('what no start knows stays unknown', () => {
  assert.deepEqual(totalUsage([unknown]), unknown);
  assert.deepEqual(totalUsage([]), unknown);
});
