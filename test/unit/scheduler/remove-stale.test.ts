import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { realCgroupFs } from '../../../src/containment/cgroup-fs.ts';
import { removeLeft, removeStale } from '../../../src/scheduler/contain.ts';
import type { Scheduler } from '../../../src/scheduler/scheduler.ts';
import { claimStart } from '../../../src/store/claim-start.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { aClaim, submit } from '../../store/samples.ts';

test('stale cgroups go; of those with somebody in them only our own are tried again', async (t) => {
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

  const scheduler = {
    cgroups: { on: true, base },
    cgroupFs: { ...realCgroupFs, rmdir },
    host: { procRoot: '/proc' },
    identity: { pid: process.pid },
    live: new Map(),
    leftCgroups: new Set(),
    store,
  } as unknown as Scheduler;
  await removeStale(scheduler);
  assert.deepEqual(
    realCgroupFs.folders(base),
    [ours, anothers].map((path) => path.slice(base.length + 1)),
  );
  assert.deepEqual([...scheduler.leftCgroups], [ours]);
  busy.clear();
  removeLeft(scheduler);
  rmdirSync(anothers);
  assert.deepEqual(realCgroupFs.folders(base), []);
});
