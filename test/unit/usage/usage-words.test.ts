import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nothingKnown, MAX_MARKS } from '../../../src/usage/mark.ts';
import { marksJson, marksOf } from '../../../src/usage/marks-json.ts';
import { overCap, worthALook } from '../../../src/usage/sampled-cap.ts';
import { usageJson, usageOf } from '../../../src/usage/usage-json.ts';
import { cpuText, usageText } from '../../../src/usage/usage-text.ts';

const mb = 1048576;

test('usage reads `peak 812 MB, CPU 41.2 s on up to 3.9 cores`, as much as is known', () => {
  const whole = { peakRssBytes: 812 * mb, cpuSeconds: 41.2, peakCpus: 3.9 };
  assert.equal(usageText(whole), 'peak 812 MB, CPU 41.2 s on up to 3.9 cores');
  assert.equal(usageText({ ...whole, peakCpus: null }), 'peak 812 MB, CPU 41.2 s');
  assert.equal(usageText({ ...whole, cpuSeconds: null }), 'peak 812 MB, up to 3.9 cores');
  assert.equal(usageText({ ...whole, peakRssBytes: null }), 'CPU 41.2 s on up to 3.9 cores');
  assert.equal(usageText({ ...nothingKnown, peakRssBytes: 12.5 * 1024 * mb }), 'peak 12.5 GB');
  assert.equal(usageText({ peakRssBytes: 0, cpuSeconds: 0, peakCpus: 0 }), 'peak 0 MB, CPU 0.0 s');
  assert.equal(usageText(nothingKnown), '');
});

test('CPU time is seconds, minutes or hours', () => {
  for (const [seconds, text] of [
    [0, '0.0 s'],
    [59.94, '59.9 s'],
    [59.95, '1.0 min'],
    [90, '1.5 min'],
    [3596, '59.9 min'],
    [3597, '1.0 h'],
    [9000, '2.5 h'],
  ] as const) {
    assert.equal(cpuText(seconds), text);
  }
});

test('usage in JSON has null for what is not known, and comes back', () => {
  assert.equal(usageJson(nothingKnown), '{"peak_rss_bytes":null,"cpu_seconds":null,"peak_cpus":null}');
  const whole = { peakRssBytes: 5, cpuSeconds: 0.25, peakCpus: 0 };
  assert.equal(usageJson(whole), '{"peak_rss_bytes":5,"cpu_seconds":0.25,"peak_cpus":0}');
  assert.deepEqual(usageOf(JSON.parse(usageJson(whole))), whole);
  for (const odd of [null, 3, 'x', [], {}, { peak_rss_bytes: -1, cpu_seconds: '4', peak_cpus: NaN }]) {
    assert.deepEqual(usageOf(odd), nothingKnown);
  }
});

test('marks in JSON are `[[age, rss, cpu, cpus], …]`, may carry -1, and come back', () => {
  const marks = [
    { at: 3, rss: -1, cpu: 0, cpus: -1 },
    { at: 1.25, rss: 4096, cpu: 0.5, cpus: 2 },
  ];
  assert.equal(marksJson(marks), '[[3,-1,0,-1],[1.25,4096,0.5,2]]');
  assert.deepEqual(marksOf(JSON.parse(marksJson(marks))), marks);
});

test('what is no mark is left out, and never more marks than a meter keeps are taken', () => {
  assert.deepEqual(marksOf([[1, 2, 3], 'x', [1, 2, 3, 'x'], [-1, 2, 3, 4], null, [1, -7, 3, -9]]), [
    { at: 1, rss: -1, cpu: 3, cpus: -1 },
  ]);
  assert.deepEqual(marksOf({ length: 3 }), []);
  const many = Array.from({ length: 5000 }, (_, i) => [5000 - i, 1, i, 1]);
  assert.equal(marksOf(many).length, MAX_MARKS);
  assert.equal(marksOf(many).at(-1)?.cpu, 4999);
});

test('reading usage or marks back throws on no value', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      usageOf(value);
      marksOf(value);
      marksOf([value, [value, value, value, value]]);
    }),
  );
});

const reading = (rss: number, pss: number | null) => ({
  rssBytes: rss * mb,
  proportionalBytes: pss === null ? null : pss * mb,
  limitBytes: 1000 * mb,
  capBytes: 1250 * mb,
});

test('exactly the cap is not over it, one byte more is', () => {
  assert.equal(overCap(reading(1250, null)), null);
  assert.equal(worthALook(1250, 1250), false);
  assert.equal(worthALook(1251, 1250), true);
  assert.notEqual(overCap({ ...reading(1250, null), rssBytes: 1250 * mb + 1 }), null);
  assert.equal(overCap(reading(2000, 1250)), null);
  assert.notEqual(overCap({ ...reading(2000, 1250), proportionalBytes: 1250 * mb + 1 }), null);
});

test('a tree whose pages are shared is over only when its proportional memory is', () => {
  assert.equal(overCap(reading(5000, 900)), null);
  assert.equal(
    overCap(reading(5000, 1300)),
    'used 1300 MB, over its limit 1000 MB plus the margin (cap 1250 MB), measured as proportional memory, shared pages counted once',
  );
});

test('where proportional memory cannot be read resident memory decides, and the words say so', () => {
  assert.equal(
    overCap(reading(1300, null)),
    'used 1300 MB, over its limit 1000 MB plus the margin (cap 1250 MB), measured as resident memory, since proportional memory cannot be read here: shared pages may count twice',
  );
});

test('a cap without a margin is called just that', () => {
  assert.match(overCap({ ...reading(1300, 1300), capBytes: 1000 * mb }) ?? '', /^used 1300 MB, over its cap 1000 MB, /);
});
