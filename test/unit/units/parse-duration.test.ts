import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { OrcaError } from '../../../src/errors/orca-error.ts';
import { formatDuration } from '../../../src/units/format-duration.ts';
import { parseDuration } from '../../../src/units/parse-duration.ts';

test('a duration is numbers with units, larger units first', () => {
  for (const [text, ms] of [
    ['500ms', 500],
    ['20s', 20_000],
    ['5m', 300_000],
    ['1h30m', 5_400_000],
    ['2d', 172_800_000],
    ['1d 2h 3m 4s 5ms', 93_784_005],
    ['1.5h', 5_400_000],
    ['20S', 20_000],
    ['36500d', 3_153_600_000_000],
  ] as const) {
    assert.equal(parseDuration(text), ms, text);
  }
});

test('what is no duration is refused with the reason', () => {
  for (const [text, why] of [
    ['20', /20 has no unit \(20s\? 20m\?\)/],
    ['1h30', /30 has no unit/],
    ['20x', /x is no unit of time/],
    ['30m1h', /larger units come first/],
    ['1h1h', /larger units come first/],
    ['', /no number in it/],
    ['s', /not numbers with units/],
    ['-5s', /below zero/],
    ['0s', /more than zero/],
    [`${'9'.repeat(30)}d`, /too long/],
    ['36500d1ms', /at most 36500d/],
  ] as const) {
    assert.throws(
      () => parseDuration(text),
      (error) => error instanceof OrcaError && error.code === 'duration-invalid' && why.test(error.message),
      text,
    );
  }
});

test('any text is read as a duration above zero or refused, never anything else', () => {
  const near = fc.stringMatching(/^[0-9.dhms ]{0,9}$/);
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), near), (text) => {
      try {
        assert.ok(Number.isSafeInteger(parseDuration(text)) && parseDuration(text) > 0);
      } catch (error) {
        assert.ok(error instanceof OrcaError, String(error));
      }
    }),
  );
});

test('a duration is written with at most two units', () => {
  for (const [ms, text] of [
    [0, '0 ms'],
    [-5, '0 ms'],
    [999, '999 ms'],
    [2500, '2.5 s'],
    [59_949, '59.9 s'],
    [59_950, '1m'],
    [90_000, '1m 30s'],
    [3_599_499, '59m 59s'],
    [3_599_500, '1h'],
    [3_900_000, '1h 5m'],
    [86_400_000, '1d'],
    [97_200_000, '1d 3h'],
  ] as const) {
    assert.equal(formatDuration(ms), text);
  }
});

test('a written duration is near the real one', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e10 }), (ms) => {
      const back = parseDuration(formatDuration(ms).replaceAll(' ', ''));
      assert.ok(Math.abs(back - ms) <= Math.max(1, ms * 0.03), `${ms} ${back}`);
    }),
  );
});
