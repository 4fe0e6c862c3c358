import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { insideStart } from '../../../src/cli/inside-start.ts';
import { temporaryState } from '../client/fake-daemon.ts';

const env = { ORCA_RUN_ID: '12', ORCA_START: 'mine' };

const statLine = (pid: number, parent: number): string => `${pid} (a) b) S ${parent}${' 1'.repeat(48)}\n`;

test('a caller is inside a start only when it descends from the keeper of that start', (t) => {
  const state = temporaryState(t);
  const procRoot = join(state, 'proc');
  for (const [pid, parent] of [
    [1, 0],
    [100, 1],
    [50, 1],
    [51, 50],
    [52, 51],
  ] as const) {
    mkdirSync(join(procRoot, String(pid)), { recursive: true });
    writeFileSync(join(procRoot, String(pid), 'stat'), statLine(pid, parent));
  }
  const folder = join(state, 'starts', '12.3');
  mkdirSync(folder, { recursive: true });
  const record = (keeper: unknown): void =>
    writeFileSync(join(folder, 'pid'), JSON.stringify({ uuid: 'mine', keeper }));
  record({ pid: 50 });
  assert.deepEqual(insideStart(state, { env, pid: 52, procRoot }), { run: 12, start: 'mine' });
  assert.equal(insideStart(state, { env, pid: 100, procRoot }), null, 'its environment was copied');
  assert.equal(insideStart(state, { env: { ...env, ORCA_START: 'other' }, pid: 52, procRoot }), null);
  assert.equal(insideStart(state, { env: {}, pid: 52, procRoot }), null);
  assert.equal(insideStart(state, { env, pid: 77, procRoot }), null, 'it cannot be told');
  for (const broken of [undefined, null, {}, { pid: 'x' }]) {
    record(broken);
    assert.equal(insideStart(state, { env, pid: 52, procRoot }), null);
  }
});
