import assert from 'node:assert/strict';
import { test } from 'node:test';
import { capturedEnvironment } from '../../../src/runs/captured-environment.ts';

const env = {
  PATH: '/bin',
  HOME: '/root',
  LC_ALL: 'C',
  LC_TIME: 'C',
  TERM: 'xterm',
  API_TOKEN: 'secret',
  TMPDIR: '/t',
};

test('all of the environment is all of it', () => {
  assert.deepEqual(capturedEnvironment(env, 'all'), env);
});

test('a minimal environment has what tells who and where one is, and nothing that may be secret', () => {
  assert.deepEqual(capturedEnvironment(env, 'minimal'), {
    PATH: '/bin',
    HOME: '/root',
    LC_ALL: 'C',
    LC_TIME: 'C',
    TMPDIR: '/t',
  });
});

test('none of it is nothing', () => {
  assert.deepEqual(capturedEnvironment(env, 'none'), {});
});
