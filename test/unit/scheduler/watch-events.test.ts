import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { watchOnce } from '../../../src/scheduler/watch-events.ts';
import { inotifyWatches } from '../../e2e/support/inotify-watches.ts';
import { until } from '../../e2e/support/until.ts';

let box = '';
beforeEach(() => {
  box = mkdtempSync(join(tmpdir(), 'orca-events-'));
});
afterEach(() => {
  rmSync(box, { recursive: true, force: true });
});
const file = (name: string): string => {
  const path = join(box, name);
  writeFileSync(path, 'high 0\n');
  return path;
};

test('a change is told once, and the watch is over then', async () => {
  const path = file('a');
  let told = 0;
  watchOnce(path, () => (told += 1));
  appendFileSync(path, 'x');
  await until(() => (told > 0 ? true : null), 'the change is told');
  assert.equal(inotifyWatches('self'), 0);
  appendFileSync(path, 'x');
  // A second watch sees what the first one would have seen.
  let second = 0;
  watchOnce(path, () => (second += 1));
  appendFileSync(path, 'x');
  await until(() => (second > 0 ? true : null), 'the second watch is told');
  assert.equal(told, 1);
});

test('a watch that was ended tells nothing, and a thousand leave no descriptor and no watch', async () => {
  const before = readdirSync('/proc/self/fd').length;
  let told = 0;
  const paths = Array.from({ length: 1000 }, (_, index) => file(String(index)));
  const ends = paths.map((path) => watchOnce(path, () => (told += 1)));
  assert.equal(inotifyWatches('self'), 1000);
  for (const path of paths) appendFileSync(path, 'x');
  for (const end of ends) end?.();
  for (const end of ends) end?.();
  await until(() => (inotifyWatches('self') === 0 ? true : null), 'all watches are gone');
  assert.equal(told, 0);
  // One for all watches may stay.
  assert.ok(readdirSync('/proc/self/fd').length <= before + 1);
});

test('a file that goes away is told as a change, and a watch that cannot be is null', async () => {
  const path = file('a');
  let told = 0;
  watchOnce(path, () => (told += 1));
  rmSync(path);
  await until(() => (told > 0 ? true : null), 'the end of the file is told');
  assert.equal(inotifyWatches('self'), 0);
  assert.equal(
    watchOnce(join(box, 'missing'), () => undefined),
    null,
  );
});
