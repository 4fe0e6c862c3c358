import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatFileSize } from '../../../src/units/format-size.ts';

test('a small file has its size in bytes or KB, a large one as memory has', () => {
  assert.deepEqual([0, 1, 402, 1024, 90_000, 110_000, 3 * 1024 ** 3].map(formatFileSize), [
    '0 bytes',
    '1 byte',
    '402 bytes',
    '1 KB',
    '88 KB',
    '0.1 MB',
    '3072 MB',
  ]);
});
