import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutStartVariables } from '../../../src/settings/start-variables.ts';

test("an environment is passed on without what makes it part of a start, and without that start's secrets", () => {
  const env = { PATH: '/bin', ORCA_START: 'x', DB: 's3cret', API: 'k3y', DBX: 'no secret', ORCA_SECRETS: 'DB,API' };
  assert.deepEqual(withoutStartVariables(env), { PATH: '/bin', DBX: 'no secret' });
  assert.deepEqual(withoutStartVariables({ A: '1', B: undefined }), { A: '1' });
});
