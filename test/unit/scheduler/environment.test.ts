import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { captureEnvironment, readEnvironment } from '../../../src/scheduler/environment.ts';
import { stateFolder, type StateFolder } from '../../../src/scheduler/state-folder.ts';
import { runId } from '../../../src/units/brands.ts';

const newState = (t: TestContext): StateFolder => {
  const folder = mkdtempSync(join(tmpdir(), 'orca-environment-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const state = stateFolder(folder, join(folder, 'logs'));
  mkdirSync(state.runs);
  return state;
};

/** How many files of a folder this process has open, deleted ones too. */
const open = (folder: string): number =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder);
    } catch {
      // The one by which they are read.
      return false;
    }
  }).length;

test('all runs of a submission have its environment under their own names, and nothing else is left of it', async (t) => {
  const state = newState(t);
  const captured = captureEnvironment(state, { A: 'one', B: 'two words' });
  assert.equal(open(state.runs), 1);
  captured.give(runId(3));
  captured.give(runId(4));
  await captured.toDisk();
  assert.deepEqual(readdirSync(state.runs).sort(), ['3.env', '4.env']);
  assert.deepEqual(readEnvironment(state, runId(4)), ['A=one', 'B=two words']);
  assert.equal(statSync(join(state.runs, '3.env')).mode & 0o777, 0o600);
  assert.equal(open(state.runs), 0, 'its descriptor is closed');
});

test('of an environment that nobody got nothing is left', (t) => {
  const state = newState(t);
  const captured = captureEnvironment(state, { A: 'one', B: 'two words' });
  assert.equal(open(state.runs), 1);
  captured.drop();
  assert.deepEqual(readdirSync(state.runs), []);
  assert.equal(open(state.runs), 0, 'its descriptor is closed');
});

test('a name that is left of a number which came to nothing is made anew', async (t) => {
  const state = newState(t);
  for (const value of ['old', 'new']) {
    const captured = captureEnvironment(state, { A: value });
    captured.give(runId(3));
    await captured.toDisk();
  }
  assert.deepEqual(readEnvironment(state, runId(3)), ['A=new']);
});
