import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { realCgroupFs } from '../../../src/containment/cgroup-fs.ts';
import { removeLeft, removeStale } from '../../../src/scheduler/contain.ts';
import type { Scheduler } from '../../../src/scheduler/scheduler.ts';
import { claimStart } from '../../../src/store/claim-start.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { aClaim, submit } from '../../store/samples.ts';

test('stale cgroups go when empty: our own at once, those that this store does not know after a while', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'orca-stale-'));
  const store = await openStore({ kind: 'embedded', file: join(folder, 'orca.db') });
  t.after(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const base = join(folder, 'base');
  // No process has these numbers: they end at 4194304.
  const [empty, ours, anothers] = [1, 2, 3].map((owner) => join(base, `orca-run-1-1-999999${owner}`)) as [
    string,
    string,
    string,
  ];
  for (const path of [empty, ours, anothers]) mkdirSync(path, { recursive: true });
  const busy = new Set([ours, anothers]);
  const rmdir = (path: string): string | null => (busy.has(path) ? 'EBUSY' : realCgroupFs.rmdir(path));
  const run = await submit(store);
  await store.command(async (tx) => claimStart(tx, aClaim(run, 1, { cgroup: ours })));

  let us = 0;
  const scheduler = {
    cgroups: { on: true, base },
    cgroupFs: {
      ...realCgroupFs,
      rmdir,
      read: (file: string) => `populated ${busy.has(dirname(file)) ? 1 : 0}\n`,
    },
    host: { procRoot: '/proc', monotonicUs: () => us },
    identity: { pid: process.pid },
    live: new Map(),
    leftCgroups: new Set(),
    strangeCgroups: new Map(),
    store,
  } as unknown as Scheduler;
  const names = (): readonly string[] | null => realCgroupFs.folders(base);
  await removeStale(scheduler);
  assert.deepEqual(
    names(),
    [ours, anothers].map((path) => basename(path)),
  );
  removeLeft(scheduler);
  busy.clear();
  removeLeft(scheduler);
  assert.deepEqual(names(), [basename(anothers)], 'our own goes at once');
  us += 9_999_999;
  removeLeft(scheduler);
  assert.deepEqual(names(), [basename(anothers)], 'whoever made it has time to read its counts');
  us += 1;
  removeLeft(scheduler);
  assert.deepEqual([names(), scheduler.leftCgroups.size, scheduler.strangeCgroups.size], [[], 0, 0]);
});
