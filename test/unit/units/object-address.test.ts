import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatObjectAddress, keyBelow, parseObjectAddress } from '../../../src/units/object-address.ts';

for (const [text, bucket, prefix] of [
  ['s3://bucket/a/b', 'bucket', 'a/b'],
  ['s3://bucket/a/b/', 'bucket', 'a/b'],
  ['s3://b.u-9/', 'b.u-9', ''],
  ['S3://bucket', 'bucket', ''],
  ['s3://bucket/team=night/v1.2_x', 'bucket', 'team=night/v1.2_x'],
] as const)
  test(`${text} is a bucket and a prefix`, () => {
    assert.deepEqual(parseObjectAddress(text).address, { bucket, prefix });
  });

for (const [text, why] of [
  ['s3://', /names no bucket/],
  ['s3:///a', /names no bucket/],
  ['s3://ab/x', /no name of a bucket/],
  ['s3://Bucket/x', /no name of a bucket/],
  ['s3://a..b/x', /no name of a bucket/],
  ['s3://key:secret@bucket/x', /no name of a bucket/],
  [`s3://${'b'.repeat(64)}/x`, /no name of a bucket/],
  ['s3://bucket/a/../b', /holds \.\., /],
  ['s3://bucket/..', /holds \.\., /],
  ['s3://bucket/./a', /holds \., /],
  ['s3://bucket/a//b', /without a name/],
  ['s3://bucket//a', /without a name/],
  ['s3://bucket/a b', /other characters/],
  ['s3://bucket/a?x=1', /other characters/],
  ['s3://bucket/a\nb', /other characters/],
  ['s3://bucket/ä', /other characters/],
  [`s3://bucket/${'a'.repeat(513)}`, /longer than 512/],
  ['gs://bucket/a', /something else than s3/],
  ['/a/folder', /something else than s3/],
] as const)
  test(`${JSON.stringify(text)} is no address, and it says why`, () => {
    const { address, why: found } = parseObjectAddress(text);
    assert.equal(address, null);
    assert.match(found ?? '', why);
  });

test('an address is written as it is read, and a key below one without a prefix begins with its own name', () => {
  for (const text of ['s3://bucket/a/b', 's3://bucket']) {
    const { address } = parseObjectAddress(text);
    assert.equal(address === null ? null : formatObjectAddress(address), text);
  }
  assert.equal(keyBelow({ bucket: 'bucket', prefix: '' }, 'x'), 'x');
  assert.equal(keyBelow({ bucket: 'bucket', prefix: 'a' }, 'x'), 'a/x');
});
