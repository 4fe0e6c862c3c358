import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { attribute, type AttemptSpan } from '../../../src/usage/attribute.ts';
import { nothingKnown, type Mark } from '../../../src/usage/mark.ts';
import { halved, Meter } from '../../../src/usage/meter.ts';

/** Ages: the process lived from 10 s ago until now; sampled at 8, 6, 4 and 2. */
const marks: readonly Mark[] = [
  { at: 10, rss: -1, cpu: 0, cpus: -1 },
  { at: 8, rss: 100, cpu: 2, cpus: 1 },
  { at: 6, rss: 300, cpu: 8, cpus: 3 },
  { at: 4, rss: 200, cpu: 10, cpus: 1 },
  { at: 2, rss: 500, cpu: 18, cpus: 4 },
  { at: 0, rss: -1, cpu: 20, cpus: -1 },
];

test('two attempts of one process each have their own peak, CPU and busiest cores; ru_maxrss raises neither', () => {
  assert.deepEqual(
    attribute(marks, 9999, [
      { started: 10, ended: 5 },
      { started: 5, ended: -1 },
    ]),
    [
      { peakRssBytes: 300, cpuSeconds: 9, peakCpus: 3 },
      { peakRssBytes: 500, cpuSeconds: 11, peakCpus: 4 },
    ],
  );
});

test('for the only attempt ru_maxrss raises the peak and never lowers it', () => {
  const whole = [{ started: 10, ended: -1 }];
  assert.deepEqual(attribute(marks, 9999, whole), [{ peakRssBytes: 9999, cpuSeconds: 20, peakCpus: 4 }]);
  assert.deepEqual(attribute(marks, 7, whole), [{ peakRssBytes: 500, cpuSeconds: 20, peakCpus: 4 }]);
  assert.deepEqual(attribute(marks, -1, whole), [{ peakRssBytes: 500, cpuSeconds: 20, peakCpus: 4 }]);
});

test('an attempt shorter than the interval has the sample just after it', () => {
  const [short, other] = attribute(marks, -1, [
    { started: 7.5, ended: 7 },
    { started: 7, ended: -1 },
  ]);
  assert.deepEqual(short, { peakRssBytes: 300, cpuSeconds: 1.5, peakCpus: 3 });
  assert.equal(other?.peakRssBytes, 500);
});

test('an attempt after the last sample has no peak unless wait4 tells', () => {
  const late = { started: 1.5, ended: -1 };
  assert.equal(attribute(marks, 9999, [{ started: 10, ended: 1.5 }, late])[1]?.peakRssBytes, null);
  assert.equal(attribute(marks, 9999, [late])[0]?.peakRssBytes, 9999);
});

const unsampled: readonly Mark[] = [
  { at: 3, rss: -1, cpu: 0, cpus: -1 },
  { at: 0, rss: -1, cpu: 4, cpus: -1 },
];

test("without samples the only attempt has wait4's numbers and no cores, and several have none", () => {
  const only = { started: 3, ended: -1 };
  assert.deepEqual(attribute(unsampled, 70, [only]), [{ peakRssBytes: 70, cpuSeconds: 4, peakCpus: null }]);
  assert.deepEqual(attribute(unsampled, 70, [only, only]), [nothingKnown, nothingKnown]);
  assert.deepEqual(attribute(unsampled, -1, [only]), [nothingKnown]);
  assert.deepEqual(attribute([], -1, [only]), [nothingKnown]);
  assert.deepEqual(attribute(marks, 1, []), []);
});

test('an interval that only touches an attempt is not its busiest', () => {
  assert.equal(
    attribute(marks, -1, [
      { started: 4, ended: 2 },
      { started: 8, ended: 6 },
    ])[1]?.peakCpus,
    3,
  );
  assert.equal(
    attribute(marks, -1, [
      { started: 10, ended: 8 },
      { started: 8, ended: 0 },
    ])[0]?.peakCpus,
    1,
  );
});

test('an attempt without length has no CPU', () => {
  const [usage] = attribute(marks, -1, [
    { started: 5, ended: 5 },
    { started: 5, ended: 0 },
  ]);
  assert.deepEqual(usage, { peakRssBytes: 200, cpuSeconds: 0, peakCpus: 1 });
});

const readings = fc.array(
  fc.record({ rss: fc.nat(1e9), cpu: fc.nat(1000), after: fc.double({ min: 0, max: 5, noNaN: true }) }),
  { maxLength: 40 },
);

const agedOf = (list: readonly { rss: number; cpu: number; after: number }[], last = -1) => {
  const meter = new Meter(0);
  let life = 0;
  for (const { rss, cpu, after } of list) meter.sample(rss, cpu, (life += after));
  meter.end(-1, last, (life += 1));
  return { meter, aged: meter.aged(life), life };
};

test('what the attempts of a process get never sums to more CPU than it used, nor to a higher peak or more cores', () => {
  const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(readings, cuts, fc.nat(1000), (list, shares, last) => {
      const { meter, aged, life } = agedOf(list, last);
      const edges = [1, ...shares.toSorted((a, b) => b - a), 0].map((share) => share * life);
      const spans = edges.slice(0, -1).map((started, i): AttemptSpan => ({ started, ended: edges[i + 1] ?? 0 }));
      const usages = attribute(aged, -1, spans);
      const total = aged.at(-1)?.cpu ?? 0;
      const sum = usages.reduce((all, { cpuSeconds }) => all + (cpuSeconds ?? 0), 0);
      assert.ok(sum <= total + 1e-6, `${sum} of ${total}`);
      for (const { peakRssBytes, peakCpus } of usages) {
        assert.ok((peakRssBytes ?? -1) <= (meter.peakRss ?? -1));
        assert.ok((peakCpus ?? -1) <= Math.max(...aged.map(({ cpus }) => cpus)));
      }
      if (list.length > 0) assert.ok(Math.abs(sum - total) < 1e-6, 'nothing is lost where the attempts leave no gap');
    }),
  );
});

test('any spans on any marks give a usage each, and never an exception', () => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true });
  const mark = fc.record({ at: number, rss: number, cpu: number, cpus: number });
  fc.assert(
    fc.property(fc.array(mark), number, fc.array(fc.record({ started: number, ended: number })), (list, max, spans) => {
      assert.equal(attribute(list, max, spans).length, spans.length);
    }),
  );
});

test('no attempt’s peak and no attempt’s cores become less by merging, however often, and the sum of their CPU stays the same', () => {
  const edges = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 8 });
  fc.assert(
    fc.property(readings, edges, fc.integer({ min: 1, max: 4 }), (list, shares, times) => {
      const { aged, life } = agedOf(list);
      const cuts = shares.toSorted((a, b) => b - a).map((share) => share * life);
      const spans = cuts.slice(0, -1).map((started, i): AttemptSpan => ({ started, ended: cuts[i + 1] ?? 0 }));
      let merged: readonly Mark[] = aged;
      for (let time = 0; time < times; time += 1) merged = halved(merged);
      const after = attribute(merged, -1, spans);
      for (const [i, before] of attribute(aged, -1, spans).entries()) {
        assert.ok((after[i]?.peakRssBytes ?? -1) >= (before.peakRssBytes ?? -1), `peak of attempt ${i}`);
        assert.ok((after[i]?.peakCpus ?? -1) >= (before.peakCpus ?? -1), `cores of attempt ${i}`);
      }
      const whole = [{ started: life, ended: -1 }];
      assert.deepEqual(attribute(merged, -1, whole)[0]?.cpuSeconds, attribute(aged, -1, whole)[0]?.cpuSeconds);
    }),
    { numRuns: 1000 },
  );
});

test('whatever is sampled, at whatever times, a total never falls and no interval has less than no core', () => {
  const any = fc.record({
    rss: fc.nat(),
    cpu: fc.double({ min: 0, max: 1e12, noNaN: true }),
    at: fc.double({ min: -1e9, max: 1e9, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(any, { maxLength: 30 }), (list) => {
      const meter = new Meter(0);
      for (const { rss, cpu, at } of list) meter.sample(rss, cpu, at);
      meter.end(-1, -1, 0);
      for (const [i, mark] of meter.marks.entries()) {
        const before = meter.marks[i - 1];
        assert.ok(mark.cpus === -1 || (mark.cpus >= 0 && Number.isFinite(mark.cpus)), String(mark.cpus));
        assert.ok(before === undefined || (mark.cpu >= before.cpu && mark.at >= before.at));
      }
    }),
  );
});
