import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asInit, isFirstProcess } from '../../../src/cli/as-init.ts';
import { settingsOf } from '../../../src/settings/load-settings.ts';

const first = (env: Readonly<Record<string, string>>) =>
  asInit(
    { env, settings: settingsOf(env), state: '/state', program: { node: '/bin/node', entry: '/orca/dist/x/main.js' } },
    '/orca/native/build/orca-keep',
  );

test('only pid 1 that no resident started gives its place to a keeper', () => {
  assert.equal(isFirstProcess(1, {}), true);
  assert.equal(isFirstProcess(1, { ORCA_KEEPER_FD: '3' }), false);
  assert.equal(isFirstProcess(7, {}), false);
});

test('the keeper as init is given the whole command line of the daemon', () => {
  const { file, args } = first({});
  assert.equal(file, '/orca/native/build/orca-keep');
  assert.deepEqual(args.slice(0, 4), ['orca-keep', 'init', '/state', '/bin/node']);
  assert.deepEqual(args.slice(-2), ['/orca/dist/x/main.js', 'daemon']);
});

test('the daemon of a container does not leave for having nothing to do, unless somebody said when', () => {
  assert.equal(first({}).env['ORCA_IDLE_SECONDS'], '0');
  assert.equal(first({ ORCA_IDLE_SECONDS: '60' }).env['ORCA_IDLE_SECONDS'], '60');
});

test('what makes a process part of a run does not reach the init, the rest does', () => {
  assert.deepEqual(first({ ORCA_START: 'x', ORCA_RUN_ID: '1', PATH: '/bin', ORCA_IDLE_SECONDS: '1' }).env, {
    PATH: '/bin',
    ORCA_IDLE_SECONDS: '1',
  });
});
