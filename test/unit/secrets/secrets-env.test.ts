import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secretsEnv } from '../../../src/secrets/secrets-env.ts';

test('ORCA_SECRETS names the secrets, and is absent with none', () => {
  assert.deepEqual(secretsEnv([]), []);
  assert.deepEqual(
    secretsEnv([
      { name: 'DB', value: 'a=b\nc' },
      { name: 'EMPTY', value: '' },
    ]),
    ['DB=a=b\nc', 'EMPTY=', 'ORCA_SECRETS=DB,EMPTY'],
  );
});
