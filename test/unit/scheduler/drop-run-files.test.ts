import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { dropRunFiles } from '../../../src/scheduler/drop-run-files.ts';
import type { Scheduler } from '../../../src/scheduler/scheduler.ts';
import { envFile, stateFolder } from '../../../src/scheduler/state-folder.ts';
import { runId } from '../../../src/units/brands.ts';

test('a file that cannot be deleted keeps no run from being over, and its secrets are forgotten', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'orca-drop-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const state = stateFolder(folder, '');
  const run = runId(7);
  // A folder is no file that can be unlinked, even by root.
  mkdirSync(envFile(state, run), { recursive: true });
  const warned: unknown[] = [];
  const keptSecrets = new Map([[run, new Map([['DB', 'x']])]]);
  const scheduler = { state, keptSecrets, troubles: new Map(), log: { warn: (what: unknown) => warned.push(what) } };
  dropRunFiles(scheduler as unknown as Scheduler, { id: run, stdin_kind: 'null' });
  assert.deepEqual([warned.length, keptSecrets.size], [1, 0]);
});
