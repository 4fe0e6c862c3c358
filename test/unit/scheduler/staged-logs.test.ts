import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { LogKeeping, stagedStarts } from '../../../src/scheduler/keep-logs.ts';
import { recallStages } from '../../../src/scheduler/recall-stages.ts';
import type { Scheduler } from '../../../src/scheduler/scheduler.ts';
import { stageFile, stageOf } from '../../../src/scheduler/staged-logs.ts';
import { stateFolder } from '../../../src/scheduler/state-folder.ts';
import { settingsOf } from '../../../src/settings/load-settings.ts';
import { runId } from '../../../src/units/brands.ts';

const aScheduler = (stage: string, machine: string): Scheduler =>
  ({
    settings: settingsOf({ HOME: '/h', ORCA_LOG_STAGE: stage }),
    state: stateFolder('/var/tmp/orca-7', '/logs', machine),
    logKeeping: new LogKeeping(),
  }) as unknown as Scheduler;

test('state folders of one path on two machines have files of their own in a stage that both see', (t) => {
  const stage = mkdtempSync(join(tmpdir(), 'orca-stage-'));
  t.after(() => rmSync(stage, { recursive: true }));
  const [one, two] = [aScheduler(stage, 'm1'), aScheduler(stage, 'm2')];
  writeFileSync(stageFile(one, runId(1), 1, 'stdout'), '');
  assert.equal(stagedStarts(one).length, 1);
  assert.deepEqual(stagedStarts(two), []);
  assert.notEqual(stageFile(one, runId(1), 1, 'stdout'), stageFile(two, runId(1), 1, 'stdout'));
});

test('an output is where something of its start is: its own stage first, then those of earlier daemons, else its own', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'orca-stage-'));
  t.after(() => rmSync(root, { recursive: true }));
  const [own, older] = [join(root, 'own'), join(root, 'older')];
  for (const folder of [own, older]) mkdirSync(folder);
  const scheduler = aScheduler(own, 'm');
  const run = runId(1);
  scheduler.logKeeping.olderStages = [older];
  assert.equal(stageOf(scheduler, run, 1), own);
  // What its values are known by is enough: both outputs may be in their logs already.
  const prints = stageFile(aScheduler(older, 'm'), run, 1, 'stdout').replace(/\.stdout$/, '.prints');
  writeFileSync(prints, '');
  assert.equal(stageOf(scheduler, run, 1), older);
  assert.equal(stageOf(scheduler, run, 2), own);
  writeFileSync(`${stageFile(aScheduler(own, 'm'), run, 1, 'stderr')}.kept`, '');
  assert.equal(stageOf(scheduler, run, 1), own);
});

test('a store that takes nothing more keeps no daemon from starting with another stage, and earlier ones are still known', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'orca-stage-'));
  t.after(() => rmSync(root, { recursive: true }));
  const [own, older, open] = [join(root, 'own'), join(root, 'older'), join(root, 'open')];
  for (const folder of [own, older]) mkdirSync(folder, { mode: 0o700 });
  mkdirSync(open, { mode: 0o755 });
  const query = {
    select: () => query,
    where: () => query,
    executeTakeFirst: async () => ({ value: JSON.stringify([older, open, join(root, 'gone')]) }),
  };
  const warned: string[] = [];
  const scheduler = Object.assign(aScheduler(own, 'm'), {
    store: { read: { selectFrom: () => query }, command: () => Promise.reject(new Error('full')) },
    live: new Map([[1, {}]]),
    log: { warn: (_: object, text: string) => warned.push(text) },
  });
  await recallStages(scheduler);
  assert.deepEqual(scheduler.logKeeping.olderStages, [older]);
  assert.equal(warned.length, 1);
  // Nothing waits there, and nobody writes there any more.
  scheduler.live.clear();
  await recallStages(scheduler);
  assert.deepEqual(scheduler.logKeeping.olderStages, []);
});
