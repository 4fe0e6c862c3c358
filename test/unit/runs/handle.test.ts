import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupHandle, looksLikeHandle, parseHandle } from '../../../src/runs/handle.ts';

test('a number is a run, g and a number a group', () => {
  assert.deepEqual(parseHandle('12'), { run: 12 });
  assert.deepEqual(parseHandle('g12'), { group: 12 });
  assert.deepEqual(parseHandle('007'), { run: 7 });
  assert.equal(groupHandle(12), 'g12');
});

for (const text of [
  '',
  'g',
  '0',
  'g0',
  '-1',
  '1.5',
  'G12',
  ' 12',
  '12\n',
  'g 12',
  'gg1',
  '1e3',
  'x12',
  '9'.repeat(17),
  '9'.repeat(16),
]) {
  test(`${JSON.stringify(text)} is no handle`, () => assert.equal(parseHandle(text), null));
}

test('what could be a handle is no name', () => {
  for (const name of ['12', 'g12', 'g0', '9'.repeat(30)]) assert.ok(looksLikeHandle(name), name);
  for (const name of ['g', 'g12a', 'group', 'gcc', '']) assert.ok(!looksLikeHandle(name), name);
});
