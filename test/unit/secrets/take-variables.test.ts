import assert from 'node:assert/strict';
import { test } from 'node:test';
import { takeVariables } from '../../../src/secrets/take-variables.ts';

test('what env:NAME names is taken out of the environment that goes into a file, and so is what a secret goes into', () => {
  const env = { PATH: '/bin', TOKEN: 't0p', DB: 'an old value', EMPTY: '' };
  const { env: left, kept, missing } = takeVariables({ API: 'env:TOKEN', DB: 'prod/db', E: 'env:EMPTY' }, env);
  assert.deepEqual(left, { PATH: '/bin' });
  assert.deepEqual(
    [...kept],
    [
      ['TOKEN', 't0p'],
      ['EMPTY', ''],
    ],
  );
  assert.equal(missing, null);
});

test('a variable may be the secret of its own name, or of two', () => {
  const { env, kept, missing } = takeVariables({ TOKEN: 'env:TOKEN', B: 'env:TOKEN' }, { TOKEN: 't0p' });
  assert.deepEqual([env, [...kept], missing], [{}, [['TOKEN', 't0p']], null]);
});

test('the first variable that is not there is named', () => {
  assert.equal(takeVariables({ A: 'env:X', B: 'env:Y' }, { PATH: '/bin' }).missing, 'X');
});
