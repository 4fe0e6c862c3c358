import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { attribute } from '../../../src/usage/attribute.ts';
import { table } from '../../../src/settings/table.ts';
import { MAX_MARKS, MIN_SAMPLE_SECONDS } from '../../../src/usage/mark.ts';
import { halved, Meter } from '../../../src/usage/meter.ts';

const peak = (meter: Meter): number => Math.max(...meter.marks.map(({ rss }) => rss));
const ordered = (meter: Meter): boolean =>
  meter.marks.every(({ at }, i) => i === 0 || at >= (meter.marks[i - 1]?.at ?? 0));

test('a sample has the cores that were busy since the one before', () => {
  const meter = new Meter(100);
  meter.sample(50, 0.5, 100.5);
  meter.sample(70, 2.5, 101);
  assert.deepEqual(meter.marks, [
    { at: 100, rss: -1, cpu: 0, cpus: -1 },
    { at: 100.5, rss: 50, cpu: 0.5, cpus: 1 },
    { at: 101, rss: 70, cpu: 2.5, cpus: 4 },
  ]);
  assert.equal(meter.peakRss, 70);
});

test('start and end carry no resident size, and wait4 has the last word on CPU when it says more', () => {
  const meter = new Meter(0);
  assert.equal(meter.peakRss, null);
  meter.sample(50, 1, 1);
  meter.end(80, 9, 2);
  assert.deepEqual(meter.marks.at(-1), { at: 2, rss: -1, cpu: 9, cpus: -1 });
  assert.equal(meter.maxRss, 80);
  const other = new Meter(0);
  other.sample(50, 7, 1);
  other.end(-1, -1, 2);
  assert.equal(other.marks.at(-1)?.cpu, 7);
});

test("a child's end never makes the total fall, and what it used is not taken for the work of one interval later", () => {
  const meter = new Meter(0);
  meter.sample(1, 10, 1);
  meter.sample(1, 4, 2);
  meter.sample(1, 14, 3);
  assert.deepEqual(
    meter.marks.map(({ cpu, cpus }) => [cpu, cpus]),
    [
      [0, -1],
      [10, 10],
      [10, -1],
      [14, 2],
    ],
  );
});

test('two samples at one moment, or a clock that goes back, give no cores and keep the order', () => {
  const meter = new Meter(10);
  meter.sample(1, 5, 10);
  meter.sample(1, 6, 9);
  assert.deepEqual(
    meter.marks.map(({ at, cpus }) => [at, cpus]),
    [
      [10, -1],
      [10, -1],
      [10, -1],
    ],
  );
});

test('after 10,000 samples at most 1024 marks remain, with maximum, last total and order unchanged', () => {
  const meter = new Meter(0);
  for (let i = 1; i <= 10_000; i += 1) meter.sample(i === 1234 ? 9e9 : i, i / 10, i);
  meter.end(5, 2000, 10_001);
  assert.ok(meter.marks.length <= MAX_MARKS, String(meter.marks.length));
  assert.ok(meter.marks.length > MAX_MARKS / 4);
  assert.equal(peak(meter), 9e9);
  assert.equal(meter.marks.at(-1)?.cpu, 2000);
  assert.equal(meter.marks.at(-2)?.cpu, 1000);
  assert.deepEqual(meter.marks[0], { at: 0, rss: -1, cpu: 0, cpus: -1 });
  assert.ok(ordered(meter));
  const [usage] = attribute(meter.aged(10_001), 5, [{ started: 10_001, ended: -1 }]);
  assert.deepEqual([usage?.peakRssBytes, usage?.cpuSeconds], [9e9, 2000]);
});

test('merging keeps every maximum, the start and the last total, and halves their number', () => {
  const mark = fc.record({
    at: fc.nat(1000),
    rss: fc.integer({ min: -1, max: 1000 }),
    cpu: fc.nat(1000),
    cpus: fc.integer({ min: -1, max: 99 }),
  });
  fc.assert(
    fc.property(fc.array(mark, { minLength: 1 }), (marks) => {
      const merged = halved(marks);
      assert.ok(merged.length <= 3 + marks.length / 2);
      assert.deepEqual(merged[0], marks[0]);
      for (const most of ['rss', 'cpus'] as const) {
        assert.equal(Math.max(...merged.map((m) => m[most])), Math.max(...marks.map((m) => m[most])));
      }
      assert.deepEqual([merged.at(-1)?.cpu, merged.at(-1)?.at], [marks.at(-1)?.cpu, marks.at(-1)?.at]);
    }),
  );
});

test('marks are aged against now, oldest first and never below zero', () => {
  const meter = new Meter(10);
  meter.sample(1, 0, 12);
  assert.deepEqual(
    meter.aged(15).map(({ at }) => at),
    [5, 3],
  );
  assert.deepEqual(
    meter.aged(11).map(({ at }) => at),
    [1, 0],
  );
});

test('the time between two looks is by default the least that there is between two samples', () => {
  assert.equal(table.ORCA_USAGE_INTERVAL_MS.default, MIN_SAMPLE_SECONDS * 1000);
});

test('what an earlier meter had at most is the least that a later one has, and disturbs neither total nor cores', () => {
  const meter = new Meter(100);
  meter.recall(720, 3.5);
  meter.sample(50, 10, 110);
  assert.deepEqual([meter.peakRss, meter.peakCpus], [720, 3.5]);
  assert.ok(
    Math.abs((meter.marks.at(-1)?.cpus ?? 0) - 1) < 0.001,
    'the total since the start is spread over all of it',
  );
  meter.end(60, 12, 120);
  const usage = attribute(meter.aged(120), 60, [{ started: 20, ended: -1 }]);
  assert.deepEqual(usage, [{ peakRssBytes: 720, cpuSeconds: 12, peakCpus: 3.5 }]);
});

test('an earlier meter that knew nothing leaves no trace', () => {
  const meter = new Meter(100);
  meter.recall(null, null);
  assert.deepEqual([meter.marks.length, meter.peakRss, meter.peakCpus], [1, null, null]);
});

test('what another witness saw raises the peak, never lowers it, and is no look at the cpus', () => {
  const meter = new Meter(0);
  meter.sample(100, 1, 1);
  meter.atLeast(50);
  assert.deepEqual([meter.peakRss, meter.marks.length], [100, 2]);
  meter.atLeast(300);
  meter.sample(100, 2, 2);
  assert.deepEqual([meter.peakRss, meter.peakCpus, meter.marks.at(-1)?.cpu], [300, 1, 2]);
});
