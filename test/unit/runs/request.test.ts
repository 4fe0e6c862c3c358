import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  ceilingMib,
  grantOf,
  growthPctOf,
  higherRaise,
  maxMib,
  noRaise,
  raisedMib,
  raisedRequest,
  startLimit,
  type LimitSources,
} from '../../../src/runs/request.ts';
import { mib } from '../../../src/units/brands.ts';

const size = fc.integer({ min: 1, max: 4_000_000 }).map(mib);
const growth = fc.integer({ min: 100, max: 100_000 });

test('memory.max is the limit and its margin, rounded up to a whole MB', () => {
  assert.equal(maxMib(mib(1001), 25), 1252);
  assert.equal(maxMib(mib(1000), 25), 1250);
  assert.equal(maxMib(mib(1000), 10), 1100, 'an exact margin gains nothing by rounding');
  assert.equal(maxMib(mib(1001), 0), 1001);
  assert.equal(maxMib(mib(1), 25), 2);
});

test('a raise is the limit times the growth, rounded up, at most the ceiling, never below the limit', () => {
  assert.equal(raisedMib(mib(1000), 150, mib(1200)), 1200);
  assert.equal(raisedMib(mib(1000), 150, mib(0)), 1500);
  assert.equal(raisedMib(mib(1000), 150, mib(800)), 1000);
  assert.equal(raisedMib(mib(1001), 150, mib(0)), 1502);
  assert.equal(raisedMib(mib(1001), 100, mib(0)), 1001);
});

test('a raise lies between its limit and the larger of limit and ceiling', () => {
  fc.assert(
    fc.property(size, growth, size, (limit, pct, ceiling) => {
      const raised = raisedMib(limit, pct, ceiling);
      assert.ok(raised >= limit && raised <= Math.max(limit, ceiling) && Number.isInteger(raised));
    }),
  );
});

test('a raise never lowers one that is there', () => {
  assert.equal(higherRaise(mib(1500), mib(1200)), 1500);
  assert.equal(higherRaise(mib(1200), mib(1500)), 1500);
  assert.equal(higherRaise(noRaise, mib(1)), 1);
});

test('a raised request asks for the raise, at most for its maximum and never for less than its minimum', () => {
  assert.equal(raisedRequest(mib(1000), mib(4000), mib(1500)), 1500);
  assert.equal(raisedRequest(mib(1000), mib(1200), mib(1500)), 1200);
  assert.equal(raisedRequest(mib(1000), mib(4000), noRaise), 1000);
  fc.assert(
    fc.property(size, size, size, (a, b, raised) => {
      const [min, max] = a < b ? [a, b] : [b, a];
      const asked = raisedRequest(min, max, raised);
      assert.ok(asked >= min && asked <= max);
    }),
  );
});

test('the grant is the request’s minimum after raise, not what is free; without a request there is none', () => {
  assert.equal(grantOf({ min: mib(1024), max: mib(4096) }, noRaise), 1024);
  assert.equal(grantOf({ min: mib(1024), max: mib(4096) }, mib(1536)), 1536);
  assert.equal(grantOf({ min: mib(1024), max: mib(1024) }, mib(1536)), 1024);
  assert.equal(grantOf(null, mib(1536)), null);
});

test('the limit is the grant, else the request’s maximum, else the larger of default and raise; a cap lowers each', () => {
  const nothing: LimitSources = {
    grant: null,
    requestMax: null,
    standard: mib(2000),
    room: mib(9000),
    raised: noRaise,
    cap: mib(0),
  };
  const table: readonly (readonly [Partial<LimitSources>, number])[] = [
    [{ grant: mib(1000), requestMax: mib(4000), raised: mib(5000) }, 1000],
    [{ requestMax: mib(4000), raised: mib(5000) }, 4000],
    [{}, 2000],
    [{ raised: mib(3000) }, 3000],
    [{ raised: mib(1500) }, 2000],
    [{ standard: mib(0) }, 9000],
    [{ standard: mib(0), raised: mib(9500) }, 9500],
    [{ grant: mib(1000), cap: mib(800) }, 800],
    [{ requestMax: mib(4000), cap: mib(800) }, 800],
    [{ cap: mib(800) }, 800],
    [{ raised: mib(3000), cap: mib(2500) }, 2500],
    [{ standard: mib(0), cap: mib(800) }, 800],
    [{ grant: mib(700), cap: mib(800) }, 700],
  ];
  for (const [sources, limit] of table)
    assert.equal(startLimit({ ...nothing, ...sources }), limit, JSON.stringify(sources));
});

test('the ceiling is the request’s maximum, else what the host can grant; under the cap', () => {
  assert.equal(ceilingMib(mib(4000), mib(9000), mib(0)), 4000);
  assert.equal(ceilingMib(null, mib(9000), mib(0)), 9000);
  assert.equal(ceilingMib(mib(4000), mib(9000), mib(800)), 800);
  assert.equal(ceilingMib(null, mib(9000), mib(800)), 800);
});

test('a growth is a factor from 1 on', () => {
  for (const [text, pct] of [
    ['1.5', 150],
    ['1', 100],
    ['2', 200],
    [' 1.25 ', 125],
    ['3.', 300],
  ] as const) {
    assert.deepEqual(growthPctOf(text), { pct, warning: null }, text);
  }
});

test('a growth below 1, or no number, is 1.5 with one warning', () => {
  for (const text of ['0.99', '0', '-2', 'abc', '', 'NaN', 'Infinity', '1e400', '1,5', '0x2', '1.5.1']) {
    const { pct, warning } = growthPctOf(text);
    assert.equal(pct, 150, text);
    assert.match(warning ?? '', /ORCA_RUN_MEMORY_GROWTH/);
  }
});
