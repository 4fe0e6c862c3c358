import assert from 'node:assert/strict';
import { test } from 'node:test';
import { objectFailure } from '../../../src/objects/object-failure.ts';
import { refusal } from './fake-s3.ts';

const wordsOf = (error: unknown): string => objectFailure(error).message;

test('what a storage, the client or the network said is told in one line', () => {
  assert.equal(wordsOf(refusal('NoSuchBucket', 404)), 'NoSuchBucket: the storage says NoSuchBucket');
  assert.match(wordsOf(new Error('Region is missing')), /give the daemon AWS_REGION/);
  const refused = Object.assign(new Error('connect ECONNREFUSED ::1:9'), { code: 'ECONNREFUSED' });
  assert.equal(wordsOf(refused), 'connect ECONNREFUSED ::1:9');
  assert.equal(wordsOf(new AggregateError([refused], '')), 'connect ECONNREFUSED ::1:9');
  assert.equal(wordsOf(Object.assign(new Error('x'), { name: 'TimeoutError' })), 'no answer in time');
  const bare = Object.assign(refusal('Forbidden', 403), { message: 'UnknownError' });
  assert.equal(wordsOf(bare), 'Forbidden: the storage answered with status 403');
  assert.equal(wordsOf(new Error('one\ntwo')), 'one');
});

test('only that there is no such object counts as absent, and a missing bucket does not', () => {
  assert.equal(objectFailure(refusal('NoSuchKey', 404)).absent, true);
  assert.equal(objectFailure(refusal('NotFound', 404)).absent, true);
  assert.equal(objectFailure(refusal('NoSuchBucket', 404)).absent, false);
  assert.equal(objectFailure(refusal('AccessDenied', 403)).absent, false);
});
