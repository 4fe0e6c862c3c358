import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskValues } from '../../../src/secrets/mask-values.ts';
import { isWeak } from '../../../src/secrets/common-values.ts';
import { makeCase } from './cases.ts';
import { maskedSlowly, mixedWaysOf, waysOf } from './oracle.ts';

/** ORCA_TEST_MASK_CASES=10000 is the long form, ORCA_TEST_MASK_SEED the first case's number. */
const cases = Number(process.env['ORCA_TEST_MASK_CASES'] ?? 1000);
const firstSeed = Number(process.env['ORCA_TEST_MASK_SEED'] ?? 1);

test('of generated values in generated output none gets through, and all else is untouched byte for byte', () => {
  let hidden = 0;
  for (let seed = firstSeed; seed < firstSeed + cases; seed += 1) {
    const { values, written, text, pieces } = makeCase(seed);
    assert.ok(values.every((value) => !isWeak(value)));
    const masker = maskValues(values.map((value, index) => ({ name: `S${index}`, value }))).open();
    const out = Buffer.concat([...pieces.map((piece) => Buffer.from(masker.write(piece))), masker.end()]);
    const ways = waysOf(values);
    const expected = maskedSlowly(text, ways);
    if (!out.equals(expected) && !out.equals(maskedSlowly(text, [...ways, ...mixedWaysOf(values)]))) {
      assert.fail(
        `case ${seed}: ${JSON.stringify({
          values: values.map((value) => value.toString('latin1')),
          text: text.toString('latin1'),
          out: out.toString('latin1'),
          expected: expected.toString('latin1'),
        })}`,
      );
    }
    for (const one of written)
      if (text.includes(one)) assert.ok(!out.includes(one), `case ${seed} lets a value through`);
    hidden += written.length;
  }
  assert.ok(hidden > cases);
});
