import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { getRunWithStarts } from '../../src/store/get-run.ts';
import { queuedRuns } from '../../src/store/active-runs.ts';
import { allActive } from './samples.ts';
import { openStore } from '../../src/store/open-store.ts';
import { runId } from '../../src/units/brands.ts';

/** Written by 0.1: runs that succeeded, failed, succeeded with a range, were killed, and one that waits after `down`. */
const file = join(import.meta.dirname, 'fixtures/0.1.db');

test('a store of version 0.1 is taken over with all its runs', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'orca-0.1-'));
  copyFileSync(file, join(folder, 'orca.db'));
  const store = await openStore({ kind: 'embedded', file: join(folder, 'orca.db') });
  t.after(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const told = await Promise.all([1, 2, 3, 4, 5].map(async (id) => getRunWithStarts(store.read, runId(id))));
  assert.deepEqual(
    told.map((it) => [it?.run.state, it?.starts.map(({ verdict }) => verdict)]),
    [
      ['succeeded', ['succeeded']],
      ['failed', ['failed']],
      ['succeeded', ['succeeded']],
      ['killed', ['killed']],
      ['queued', []],
    ],
  );
  // What it did not know of yet is unknown, not nothing.
  const [start] = told[2]?.starts ?? [];
  assert.deepEqual([start?.cgroup, start?.oom_kill, start?.peak_source], [null, null, null]);
  assert.deepEqual(await allActive(store.read), [5]);
  for await (const waiting of queuedRuns(store.read)) assert.equal(waiting.memory_min_bytes, 2 ** 30);
});
