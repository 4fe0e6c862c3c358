import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { OrcaError } from '../../../src/errors/orca-error.ts';
import { formatSize, sizeArgument } from '../../../src/units/format-size.ts';
import { parseSize } from '../../../src/units/parse-size.ts';
import { parseSizeRange } from '../../../src/units/parse-size-range.ts';

const refusal = (run: () => unknown): OrcaError => {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof OrcaError);
    assert.equal(error.code, 'size-invalid');
    assert.equal(error.exitStatus, 120);
    return error;
  }
  assert.fail('it was accepted');
};

test('K, KB and KiB all mean a power of 1024, in either case', () => {
  for (const [letters, power] of [
    [['K', 'KB', 'KiB', 'k', 'kb', 'kIb'], 1],
    [['M', 'MB', 'MiB', 'mb'], 2],
    [['G', 'GB', 'GiB', 'g'], 3],
    [['T', 'TB', 'TiB', 'tib'], 4],
  ] as const) {
    for (const letter of letters) assert.equal(parseSize(`3${letter}`), 3 * 1024 ** power, letter);
  }
});

test('a size may have decimals, and part of a byte is rounded up', () => {
  assert.equal(parseSize('1.5GB'), 1.5 * 1024 ** 3);
  assert.equal(parseSize('.5k'), 512);
  assert.equal(parseSize('0.0001K'), 1);
  assert.equal(parseSize(' 2 GB '), 2 * 1024 ** 3);
});

test('a bare number is refused, and the refusal shows what could have been meant', () => {
  assert.match(refusal(() => parseSize('12')).message, /^12 is not a size: it has no unit \(12MB\? 12GB\?\)\.$/);
});

test('what is no size is refused with the reason', () => {
  for (const [text, why] of [
    ['12Q', /Q is no unit/],
    ['12KK', /KK is no unit/],
    ['12B', /B is no unit/],
    ['', /^'' is not a size/],
    ['GB', /does not begin with a number/],
    ['0GB', /more than zero/],
    ['0.0M', /more than zero/],
    ['-1GB', /below zero/],
    ['9999999999TB', /too large/],
    [`${'9'.repeat(400)}GB`, /too large/],
    ['1e3MB', /e3MB is no unit/],
    ['1,5GB', /,5GB is no unit/],
    ['0x10MB', /x10MB is no unit/],
  ] as const) {
    assert.match(refusal(() => parseSize(text)).message, why, text);
  }
});

test('a refusal shows no byte that a terminal would obey', () => {
  assert.ok(!refusal(() => parseSize('12\u001b[2J')).message.includes('\u001b'));
});

test('one size is both ends of its range', () => {
  assert.deepEqual(parseSizeRange('1GB'), { min: 1024 ** 3, max: 1024 ** 3 });
  assert.deepEqual(parseSizeRange('256MB..2GB'), { min: 256 * 1024 ** 2, max: 2 * 1024 ** 3 });
  assert.deepEqual(parseSizeRange('1GB..1024MB'), { min: 1024 ** 3, max: 1024 ** 3 });
});

test('a minimum over its maximum is refused with both', () => {
  const { message } = refusal(() => parseSizeRange('4GB..2GB'));
  assert.match(message, /its minimum, 4GB, is over its maximum, 2GB/);
});

test('a range without both of its ends is refused', () => {
  for (const text of ['1GB..', '..2GB', '..', '1GB..2GB..3GB', '1..2GB', '', '1GB-2GB']) {
    refusal(() => parseSizeRange(text));
  }
});

test('MB are MiB in whole numbers, and GB begin at 10 GB', () => {
  for (const [size, text] of [
    [0, '0 MB'],
    [1, '0.1 MB'],
    [1.5 * 1024 ** 2, '1.5 MB'],
    [812 * 1024 ** 2, '812 MB'],
    [812.4 * 1024 ** 2, '812 MB'],
    [2 * 1024 ** 3, '2048 MB'],
    [10 * 1024 ** 3 - 1024 ** 2, '10239 MB'],
    [10 * 1024 ** 3 - 1, '10 GB'],
    [10 * 1024 ** 3, '10 GB'],
    [12.5 * 1024 ** 3, '12.5 GB'],
    [2 ** 50, '1048576 GB'],
  ] as const) {
    assert.equal(formatSize(size), text);
  }
});

test('a size argument is read back as the same size, or the next whole KB', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 45 }), (size) => {
      const back = parseSize(sizeArgument(size));
      assert.ok(back >= size && back < size + 1024);
    }),
  );
});

test('any text is read as a size above zero or refused, never anything else', () => {
  const near = fc.stringMatching(/^[-+0-9.]{0,6}[KMGTkmgtiBbQ .]{0,5}$/);
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), near), (text) => {
      try {
        const { min, max } = parseSizeRange(text);
        assert.ok(Number.isSafeInteger(min) && Number.isSafeInteger(max) && min > 0 && max >= min);
      } catch (error) {
        assert.ok(error instanceof OrcaError, String(error));
      }
    }),
  );
});
