import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LogSync } from '../../../src/store/log-sync.ts';

/** A disk whose every sync ends when the test says so. */
const slowDisk = () => {
  const ends: ((error?: Error) => void)[] = [];
  const logSync = new LogSync(
    async () =>
      new Promise<void>((resolve, reject) => ends.push((error) => (error === undefined ? resolve() : reject(error)))),
  );
  return { ends, logSync };
};
const turn = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('those who wait in the same turn share one sync', async () => {
  const { ends, logSync } = slowDisk();
  const all = Promise.all([logSync.sync(), logSync.sync(), logSync.sync()]);
  await turn();
  assert.equal(ends.length, 1);
  ends[0]?.();
  await all;
});

test('a sync that is under way does not count for whoever comes later', async () => {
  const { ends, logSync } = slowDisk();
  const done: string[] = [];
  const first = logSync.sync().then(() => done.push('first'));
  await turn();
  const later = [logSync.sync(), logSync.sync()].map(async (sync) => sync.then(() => done.push('later')));
  await turn();
  assert.equal(ends.length, 1, 'one at a time');
  ends[0]?.();
  await first;
  await turn();
  assert.deepEqual(done, ['first']);
  assert.equal(ends.length, 2);
  ends[1]?.();
  await Promise.all(later);
});

test('a failed sync fails its waiters only; the next one is tried', async () => {
  const { ends, logSync } = slowDisk();
  const first = assert.rejects(logSync.sync(), /no space/);
  await turn();
  const second = logSync.sync();
  ends[0]?.(new Error('no space'));
  await first;
  await turn();
  ends[1]?.();
  await second;
});
