import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cpuShare } from '../../../src/machine/cpu-share.ts';
import { coresIn, parseProcStat, type CpuReading } from '../../../src/machine/cpu-times.ts';

const stat = (...rows: readonly string[]): CpuReading => parseProcStat(`${rows.join('\n')}\nintr 1 2 3\nctxt 5\n`);

test('the lines of /proc/stat give what niced processes and interrupts had with the rest', () => {
  const reading = stat('cpu  10 1 20 300 4 5 6 7 8 9', 'cpu0 10 1 20 300 4 5 6 7 8 9');
  const times = { user: 11, system: 31, idle: 300, iowait: 4, steal: 7 };
  assert.deepEqual(
    [...reading],
    [
      ['cpu', times],
      ['cpu0', times],
    ],
  );
  assert.equal(coresIn(reading), 1);
});

test('what an old kernel does not count is 0, and a line that is none is left out', () => {
  assert.deepEqual(stat('cpu 1 2 3 4').get('cpu'), { user: 3, system: 3, idle: 4, iowait: 0, steal: 0 });
  for (const bad of ['cpu', 'cpu 1 2 3', 'cpu 1 2 x 4', 'cpu -1 2 3 4', 'cpux 1 2 3 4', ' '])
    assert.equal(stat(bad).size, 0, bad);
});

test('shares are of all cores together, and the busiest core is told beside them', () => {
  const before = stat('cpu 0 0 0 0 0 0 0 0', 'cpu0 0 0 0 0 0 0 0 0', 'cpu1 0 0 0 0 0 0 0 0');
  const now = stat('cpu 100 0 20 70 6 0 0 4', 'cpu0 90 0 8 0 1 0 0 1', 'cpu1 10 0 12 70 5 0 0 3');
  assert.deepEqual(cpuShare(before, now), { user: 50, system: 10, iowait: 3, steal: 2, busiest: 99 });
});

test('counts that went back give no time, and never a share below 0', () => {
  const before = stat('cpu 100 0 100 1000 500 0 0 50', 'cpu0 100 0 100 1000 500 0 0 50');
  const now = stat('cpu 150 0 90 1050 400 0 0 40', 'cpu0 150 0 90 1050 400 0 0 40');
  assert.deepEqual(cpuShare(before, now), { user: 50, system: 0, iowait: 0, steal: 0, busiest: 50 });
});

test('without time between the readings, or without a reading, all is 0', () => {
  const zero = { user: 0, system: 0, iowait: 0, steal: 0, busiest: 0 };
  const some = stat('cpu 5 5 5 5 5 5 5 5');
  assert.deepEqual(cpuShare(some, some), zero);
  assert.deepEqual(cpuShare(new Map(), some), zero);
  assert.deepEqual(cpuShare(some, new Map()), zero);
});

test('a core that came or left between the readings is passed over', () => {
  const before = stat('cpu 0 0 0 0', 'cpu0 0 0 0 0', 'cpu1 0 0 0 0');
  const now = stat('cpu 50 0 0 50', 'cpu0 50 0 0 50', 'cpu2 900 0 0 0');
  assert.equal(cpuShare(before, now).busiest, 50);
});

test('of any two readings the busiest core is at least the mean, and no share is under 0 or over 100', () => {
  const row = fc.array(fc.oneof(fc.nat(1000), fc.constant(2 ** 60)), { minLength: 8, maxLength: 8 });
  const reading = fc.array(row, { minLength: 1, maxLength: 4 });
  const text = (rows: readonly (readonly number[])[]): string[] =>
    rows.map((ticks, core) => `cpu${core === 0 ? '' : core - 1} ${ticks.join(' ')}`);
  fc.assert(
    fc.property(reading, reading, (a, b) => {
      const share = cpuShare(stat(...text(a)), stat(...text(b)));
      for (const part of Object.values(share)) assert.ok(part >= 0 && part <= 100, JSON.stringify(share));
      assert.ok(share.busiest >= Math.min(100, share.user + share.system + share.steal) - 0.051, JSON.stringify(share));
    }),
  );
});
