import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startEnvironment } from '../../../src/scheduler/start-environment.ts';

test("what a start is given takes the place of the caller's, so that no name is there twice", () => {
  const captured = ['A=1', 'DB=from a shell', 'ORCA_SECRETS=X', 'DBX=kept', 'E='];
  assert.deepEqual(startEnvironment(captured, ['DB=secret=value', 'ORCA_SECRETS=DB']), [
    'A=1',
    'DBX=kept',
    'E=',
    'DB=secret=value',
    'ORCA_SECRETS=DB',
  ]);
});
