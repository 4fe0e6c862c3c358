import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FoldReturns } from '../../../src/units/fold-returns.ts';

const foldedBy = (fold: FoldReturns, pieces: readonly string[]): string => {
  const parts = pieces.map((piece) => fold.push(Buffer.from(piece, 'latin1')).toString('latin1'));
  return parts.join('') + fold.end().toString('latin1');
};
const folded = (...pieces: readonly string[]): string => foldedBy(new FoldReturns(), pieces);
const lastOf = (...pieces: readonly string[]): string => foldedBy(new FoldReturns({ lastOnly: true }), pieces);

test('of a line that is written over, the first and the last state remain', () => {
  assert.equal(folded('10%\r20%\r30%\r100%\nready\n'), '10%\n100%\nready\n');
});

test('a line that is written over and ends with a return keeps its last state', () => {
  assert.equal(folded('10%\r20%\r100%\r\n'), '10%\n100%\r\n');
  assert.equal(folded('10%\r20%\r'), '10%\n20%');
});

test('lines that end with a return and a newline pass as they are', () => {
  assert.equal(folded('one\r\ntwo\r\n'), 'one\r\ntwo\r\n');
});

test('the first state passes before the line ends', () => {
  const fold = new FoldReturns();
  assert.equal(fold.push(Buffer.from('10%\r')).toString(), '10%');
  assert.equal(fold.push(Buffer.from('20%\r')).toString(), '');
});

test('where only last states are wanted each line remains one line', () => {
  assert.equal(lastOf('10%\r20%\r30%\r100%\nready\n'), '100%\nready\n');
  assert.equal(lastOf('10%\r20%\r100%\r\n\r\n\n'), '100%\r\n\r\n\n');
  assert.equal(lastOf('a\n10%\r', '20%\r'), 'a\n20%');
  assert.equal(lastOf('10%\r20%\r\r\n'), '20%\r\n');
  const long = 'x'.repeat(1_000_000);
  assert.equal(lastOf(`${long}\r`, `${long}\rend\n`), 'end\n');
  // A line of more than that is no progress: it is not held.
  const fold = new FoldReturns({ lastOnly: true });
  assert.equal(fold.push(Buffer.from(long + long)).length, 2_000_000);
  assert.equal(foldedBy(fold, ['\rb\rc\nd\n']), '\nc\nd\n');
  const text = fc.array(fc.constantFrom('a', 'b', '\r', '\n', '\xff'), { maxLength: 40 });
  fc.assert(
    fc.property(text, (letters) => {
      const whole = letters.join('');
      assert.equal(lastOf(...letters), lastOf(whole));
      assert.equal(lastOf(whole).split('\n').length, whole.split('\n').length);
    }),
  );
});

test('it does not matter where the pieces are cut', () => {
  const text = fc.array(fc.constantFrom('a', 'b', '\r', '\n', '\xff'), { maxLength: 40 });
  fc.assert(
    fc.property(text, fc.array(fc.nat(40), { maxLength: 5 }), (letters, cuts) => {
      const whole = letters.join('');
      const at = [...new Set([0, ...cuts.filter((cut) => cut < whole.length), whole.length])].sort((a, b) => a - b);
      const pieces = at.slice(1).map((end, index) => whole.slice(at[index], end));
      assert.equal(folded(...pieces), folded(whole));
    }),
  );
});

test('what has no lone return passes byte for byte', () => {
  const text = fc.array(fc.constantFrom('a', '\0', '\xff', '\n', '\r\n'), { maxLength: 40 });
  fc.assert(
    fc.property(text, (letters) => {
      assert.equal(folded(letters.join('')), letters.join(''));
      assert.equal(lastOf(letters.join('')), letters.join(''));
    }),
  );
});
