import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskValues } from '../../../src/secrets/mask-values.ts';
import { isWeak } from '../../../src/secrets/common-values.ts';
import { Dice, makeCase } from './cases.ts';
import { maskedSlowly, mixedWaysOf, waysOf } from './oracle.ts';

/** ORCA_TEST_MASK_CASES=10000 is the long form, ORCA_TEST_MASK_SEED the first case's number. */
const cases = Number(process.env['ORCA_TEST_MASK_CASES'] ?? 1000);
/** Of two readings that tell the same, and differ in where an escape inside begins, one is followed: the other's backslash may stay. */
const alike = (one: Buffer, other: Buffer): boolean => one.equals(other) || bare(one) === bare(other);
const bare = (masked: Buffer): string => masked.toString('latin1').replaceAll(/\\+(?=\*{3})/g, '');

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
    const mixed = (): Buffer => maskedSlowly(text, [...ways, ...mixedWaysOf(values)]);
    if (!out.equals(expected) && !alike(out, mixed())) {
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

const shortValues = ['ab1', 'é1', '日本', '_x', '7'] as const;
const beside = [
  ...['a', '_', '9', 'é', '日', '😀', '—', '“', ' ', '.', '\n'].map((text) => Buffer.from(text)),
  ...['fe', 'c3', 'e280', '80', 'f09f98', 'e9'].map((bytes) => Buffer.from(bytes, 'hex')),
];

const isLetter = (bytes: Buffer): boolean => {
  const text = bytes.toString();
  return Buffer.from(text).equals(bytes) && /^[\p{L}\p{M}\p{N}_]$/u.test(text);
};

test('a short value is masked where no letter, no digit and no _ touches it, and nowhere else, whatever bytes are beside it', () => {
  let masked = 0;
  for (let seed = firstSeed; seed < firstSeed + cases; seed += 1) {
    const dice = new Dice(seed);
    const value = Buffer.from(dice.pick(shortValues));
    const parts = Array.from({ length: 1 + dice.roll(12) }, () =>
      dice.roll(3) === 0 ? value : (beside[dice.roll(beside.length)] ?? value),
    );
    const text = Buffer.concat(parts);
    const lengths = [1, 2, 3, 4];
    const isAlone = (at: number): boolean =>
      !lengths.some((length) => isLetter(text.subarray(Math.max(0, at - length), at))) &&
      !lengths.some((length) => isLetter(text.subarray(at + value.length, at + value.length + length)));
    let expected = '';
    for (let at = 0; at < text.length;) {
      const hides = text.subarray(at, at + value.length).equals(value) && isAlone(at);
      expected += hides ? '***' : text.toString('latin1', at, at + 1);
      at += hides ? value.length : 1;
      masked += hides ? 1 : 0;
    }
    const masker = maskValues([{ name: 'S', value }]).open();
    const out: Uint8Array[] = [];
    const most = 1 + dice.roll(5);
    for (let at = 0; at < text.length; at += most) out.push(Buffer.from(masker.write(text.subarray(at, at + most))));
    assert.equal(
      Buffer.concat([...out, masker.end()]).toString('latin1'),
      expected,
      `case ${seed}: ${text.toString('latin1')}`,
    );
  }
  assert.ok(masked > cases / 10);
});
