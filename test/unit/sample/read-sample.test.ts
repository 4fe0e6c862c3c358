import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { newestMinute, noMinutes, withSample } from '../../../src/sample/minutes.ts';
import { readSample } from '../../../src/sample/read-sample.ts';

const whole = {
  v: 1,
  t: 1796040000.5,
  dt: 5,
  host: 'box',
  cores: 4,
  cpu: { user: 1, system: 1, iowait: 0, steal: 0, busiest: 2 },
  mem: { total: 100, used: 40, available: 60, cache: 5, swap_total: 0, swap_used: 0, rss: 7 },
  disk: [{ path: '/tmp', total: 10, used: 4, free: 5 }],
  io: null,
  net: { in: 0, out: 0 },
  self_cpu: 0.1,
  load: null,
  psi: { cpu: { some: 1, full: 0 }, memory: { some: 2, full: null }, io: { some: 0, full: 0 } },
  cgroup: { current: 9, limit: null, full: 0.5 },
  later: 'a key that is not known',
};

test('a line is read as far as readers need it, with keys that are not known passed over', () => {
  assert.deepEqual(readSample(JSON.stringify(whole)), {
    t: 1796040000.5,
    dt: 5,
    mem: { rss: 7, total: 100, used: 40 },
    disk: [{ path: '/tmp', total: 10, used: 4, free: 5 }],
    psi: { memory: { some: 2, full: null }, io: { some: 0, full: 0 } },
    cgroup: { current: 9, limit: null, full: 0.5 },
  });
});

test('a cut line, another version and one without its figures are none', () => {
  const text = JSON.stringify(whole);
  for (let length = 0; length < text.length; length += 1) assert.equal(readSample(text.slice(0, length)), null);
  const others = [
    { ...whole, v: 2 },
    { ...whole, t: 'now' },
    { ...whole, dt: -1 },
    { ...whole, mem: {} },
    { ...whole, mem: null },
  ];
  for (const other of others) assert.equal(readSample(JSON.stringify(other)), null);
});

/** Lines of samples in which anything may stand anywhere. */
const odd = fc.oneof(
  fc.string(),
  fc.json(),
  fc
    .record(
      {
        v: fc.constant(1),
        t: fc.oneof(fc.double({ min: 0, max: 1e11 }), fc.jsonValue()),
        dt: fc.oneof(fc.double({ min: 0, max: 1e6 }), fc.jsonValue()),
        mem: fc.oneof(fc.record({ rss: fc.nat(), used: fc.jsonValue(), total: fc.jsonValue() }), fc.jsonValue()),
        disk: fc.oneof(
          fc.array(
            fc.oneof(fc.record({ path: fc.string(), total: fc.nat(), used: fc.nat(), free: fc.nat() }), fc.jsonValue()),
          ),
          fc.jsonValue(),
        ),
        psi: fc.jsonValue(),
        cgroup: fc.jsonValue(),
      },
      { requiredKeys: ['v'] },
    )
    .map((line) => JSON.stringify(line)),
);

test('whatever a line holds, reading it throws nothing and gives no number below 0', () => {
  fc.assert(
    fc.property(odd, (text) => {
      const sample = readSample(text);
      if (sample === null) return;
      assert.ok(sample.t >= 0 && sample.dt >= 0 && sample.mem.rss >= 0);
      assert.ok((sample.cgroup?.current ?? 0) >= 0 && sample.disk.every(({ used, free }) => used >= 0 && free >= 0));
    }),
    { numRuns: 500 },
  );
});

test('whatever samples come, in whatever order, minutes are in order, each once, and their shares sane', () => {
  fc.assert(
    fc.property(fc.array(odd, { maxLength: 30 }), (texts) => {
      let minutes = noMinutes;
      for (const text of texts) {
        const sample = readSample(text);
        if (sample !== null) ({ minutes } = withSample(minutes, sample));
      }
      const times = minutes.ended.map(({ at }) => at);
      assert.ok(times.every((at, index) => index === 0 || at > (times[index - 1] ?? 0)));
      const newest = newestMinute(minutes, Number.MAX_SAFE_INTEGER);
      assert.ok(newest === null || newest.disk === null || (newest.disk.percent >= 0 && newest.disk.percent <= 100));
    }),
    { numRuns: 300 },
  );
});
