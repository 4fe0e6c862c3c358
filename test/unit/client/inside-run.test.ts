import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { insideRun } from '../../../src/client/inside-run.ts';
import { temporaryState } from './fake-daemon.ts';

test('a caller is inside a run only when one of its starts carries the caller’s uuid', (t) => {
  const state = temporaryState(t);
  mkdirSync(join(state, 'starts', '12.1'), { recursive: true });
  mkdirSync(join(state, 'starts', '12.2'));
  mkdirSync(join(state, 'starts', '121.1'));
  writeFileSync(join(state, 'starts', '12.2', 'pid'), JSON.stringify({ uuid: 'mine' }));
  writeFileSync(join(state, 'starts', '121.1', 'pid'), JSON.stringify({ uuid: 'other' }));
  assert.equal(insideRun(state, { ORCA_RUN_ID: '12', ORCA_START: 'mine' }), '12');
  assert.equal(insideRun(state, { ORCA_RUN_ID: '12', ORCA_START: 'other' }), null);
  assert.equal(insideRun(state, { ORCA_RUN_ID: '1', ORCA_START: 'mine' }), null);
  assert.equal(insideRun(state, { ORCA_RUN_ID: '12' }), null);
  assert.equal(insideRun(state, { ORCA_RUN_ID: '../12', ORCA_START: 'mine' }), null);
  assert.equal(insideRun(state, {}), null);
});

test('the run of another state folder is no reason not to start a daemon', (t) => {
  assert.equal(insideRun(temporaryState(t), { ORCA_RUN_ID: '12', ORCA_START: 'mine' }), null);
});
