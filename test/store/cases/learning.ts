import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandName } from '../../../src/runs/command-name.ts';
import { endStart } from '../../../src/store/end-start.ts';
import { finishRun, type EndOfRun } from '../../../src/store/finish-run.ts';
import { lastSuccesses } from '../../../src/store/last-successes.ts';
import type { Store } from '../../../src/store/store.ts';
import { bytes, millis } from '../../../src/units/brands.ts';
import type { Backend } from '../backend.ts';
import { aRun, endOfRun, endOfStart, runningRun, submit } from '../samples.ts';

const make = commandName(aRun({ argv: ['make'] }));

const ended = async (
  store: Store,
  argv: readonly string[],
  peak: number | null,
  { state = 'succeeded', oom_kill = 0 }: { state?: EndOfRun['state']; oom_kill?: number } = {},
): Promise<void> => {
  const run = await runningRun(store, { argv });
  const peak_rss_bytes = peak === null ? null : bytes(peak);
  const end = endOfStart(run, 1, { verdict: state, peak_rss_bytes, oom_kill, ended_at: millis(3500) });
  await store.command(async (tx) => endStart(tx, end));
  await store.command(async (tx) => finishRun(tx, endOfRun(run, 1, { state })));
};

export const learningCases = (backend: Backend): void => {
  test('what a command’s clean successes used is found, newest first, ten at most; nothing else teaches', async () => {
    const store = await backend.open();
    for (let peak = 1; peak <= 12; peak += 1) await ended(store, ['make'], peak);
    await ended(store, ['make'], 99, { state: 'failed' });
    await ended(store, ['make'], 98, { oom_kill: 1 });
    await ended(store, ['make'], null);
    await ended(store, ['make', 'all'], 97);
    await submit(store, { argv: ['sort'] });
    const found = await lastSuccesses(store.read, [make, commandName(aRun({ argv: ['sort'] }))]);
    assert.deepEqual([...found.keys()], [make]);
    assert.deepEqual(
      found.get(make)?.map(({ peakBytes }) => peakBytes),
      [null, 12, 11, 10, 9, 8, 7, 6, 5, 4],
    );
    assert.equal(found.get(make)?.[0]?.durationMs, 500);
    assert.deepEqual(await lastSuccesses(store.read, []), new Map());
  });
};
