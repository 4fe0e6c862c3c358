import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseExit, type ExitRecord } from '../../../src/keeper/records.ts';
import { meterTime } from '../../../src/scheduler/live-start.ts';
import { startUsage } from '../../../src/scheduler/start-usage.ts';
import { Meter } from '../../../src/usage/meter.ts';
import { millis } from '../../../src/units/brands.ts';

const mb = 1048576;

const record = (change: Partial<ExitRecord>): ExitRecord => {
  const { value } = parseExit('{"protocol":1,"keeper":"native","how":"exited","code":0,"marks":[]}');
  return { ...(value ?? assert.fail()), ...change };
};
const wait4 = (peakMb: number, seconds: number): Partial<ExitRecord> => ({
  max_rss_bytes: peakMb * mb,
  user_us: seconds * 1e6,
  system_us: 0,
});
const cgroup = { path: '/c', events: null, peak: null, oomd_kill: null, oomd_ooms: null };

const sampled = (peakMb: number, seconds: number): Meter => {
  const meter = new Meter(100);
  meter.sample(peakMb * mb, seconds, 101);
  return meter;
};

test('each figure says whether the samples or wait4 have it', () => {
  const of = (meter: Meter, end: Partial<ExitRecord>) => {
    const usage = startUsage(meter, record(end), 102);
    return [(usage.peak_rss_bytes ?? 0) / mb, usage.peak_source, usage.cpu_seconds, usage.cpu_source, usage.peak_cpus];
  };
  assert.deepEqual(of(sampled(720, 1), wait4(120, 2)), [720, 'samples', 2, 'wait4', 1]);
  assert.deepEqual(of(sampled(100, 3), wait4(120, 2)), [120, 'wait4', 3, 'samples', 3]);
  assert.deepEqual(of(sampled(120, 2), wait4(120, 2)), [120, 'samples', 2, 'wait4', 2]);
});

test("what was never sampled has wait4's peak and CPU, and no cores: a short command, and every one on macOS", () => {
  const usage = startUsage(new Meter(100), record(wait4(70, 0.5)), 102);
  assert.deepEqual(
    [usage.peak_rss_bytes, usage.peak_source, usage.cpu_seconds, usage.cpu_source, usage.peak_cpus],
    [70 * mb, 'wait4', 0.5, 'wait4', null],
  );
});

test('with neither samples nor an exit record nothing is known, and nobody is named for it', () => {
  assert.deepEqual(new Set(Object.values(startUsage(new Meter(100), null, 102))), new Set([null]));
});

test('what the sh keeper cannot say is taken from the samples', () => {
  const usage = startUsage(sampled(50, 1.5), record({ keeper: 'sh' }), 102);
  assert.deepEqual([usage.peak_source, usage.cpu_seconds, usage.cpu_source], ['samples', 1.5, 'samples']);
});

test("the kernel's own peak, CPU and stalls stand beside it, and none of them replaces what was measured", () => {
  const texts = {
    ...cgroup,
    peak: `${256 * mb}\n`,
    cpu: 'usage_usec 2500000\nuser_usec 2000000\n',
    pressure:
      'some avg10=0.00 avg60=0.00 avg300=0.00 total=1234567\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=999\n',
  };
  const usage = startUsage(sampled(100, 1), record({ ...wait4(90, 2), cgroup: texts }), 102);
  assert.deepEqual(
    [usage.kernel_peak_bytes, usage.kernel_cpu_seconds, usage.memory_stall_ms, usage.memory_stall_full_ms],
    [256 * mb, 2.5, 1234, 0],
  );
  assert.deepEqual([usage.peak_rss_bytes, usage.cpu_seconds], [100 * mb, 2]);
});

test("kernel figures that are missing or garbage are unknown, and the rest isn't", () => {
  const texts = { ...cgroup, peak: 'max', cpu: 'usage_usec -1', pressure: 'some avg10=x total=-4' };
  const usage = startUsage(sampled(100, 1), record({ ...wait4(90, 2), cgroup: texts }), 102);
  assert.deepEqual(
    [usage.kernel_peak_bytes, usage.kernel_cpu_seconds, usage.memory_stall_ms, usage.memory_stall_full_ms],
    [null, null, null, null],
  );
  assert.equal(usage.peak_rss_bytes, 100 * mb);
});

test('a clock that is set back or forth by an hour changes no moment of a meter and no rate', () => {
  let [wall, monotonic] = [1_796_000_000_000, 5e9];
  const host = { now: () => millis(wall), monotonicUs: () => monotonic };
  const pass = (ms: number): void => void ([wall, monotonic] = [wall + ms, monotonic + ms * 1000]);
  const meter = new Meter(meterTime(host));
  pass(1000);
  meter.sample(mb, 1, meterTime(host));
  for (const set of [-3_600_000, 7_200_000]) {
    wall += set;
    pass(1000);
    meter.sample(mb, (meter.marks.at(-1)?.cpu ?? 0) + 2, meterTime(host));
  }
  assert.deepEqual(
    meter.marks.map(({ at, cpus }) => [at, cpus]),
    [
      [5000, -1],
      [5001, 1],
      [5002, 2],
      [5003, 2],
    ],
  );
});

test('a moment of the past is as long ago for the meter as for the wall clock, and one to come is now', () => {
  const host = { now: () => millis(10_000), monotonicUs: () => 70e6 };
  assert.deepEqual([meterTime(host, millis(4000)), meterTime(host, millis(99_000))], [64, 70]);
});
