import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { restoreMinutes } from '../../../src/sample/minute-file.ts';
import { newestMinute, type Minute } from '../../../src/sample/minutes.ts';

const begin = 1_796_040_000_000;

const minute = (index: number, memory: number): Minute => ({
  at: begin + index * 60_000,
  samples: 12,
  memory,
  disk: { path: '/', percent: 71.5 },
  pressure: { memory: { some: 0.5, full: null }, io: { some: 1, full: 0 } },
});

const sample = (seconds: number, used: number): string =>
  JSON.stringify({ v: 1, t: begin / 1000 + seconds, dt: 5, mem: { total: 100, used, rss: 0 }, disk: [], psi: null });

const restored = (t: TestContext, minutes: readonly string[] | null, samples: readonly string[] | null) => {
  const folder = mkdtempSync(join(tmpdir(), 'orca-minutes-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const write = (name: string, lines: readonly string[] | null): string => {
    const file = join(folder, name);
    if (lines !== null) writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
    return file;
  };
  return restoreMinutes(write('minutes', minutes), write('host', samples));
};

test('a new daemon has the minutes that were written, as they were', (t) => {
  const written = [minute(0, 10), minute(1, 20)];
  const found = restored(
    t,
    written.map((one) => JSON.stringify(one)),
    null,
  );
  assert.deepEqual(found, { ended: written, open: null });
});

test('the newest minute survives a daemon that was killed before it was written', (t) => {
  const samples = [sample(55, 10), sample(65, 60), sample(115, 80), sample(125, 99)];
  const found = restored(t, [JSON.stringify(minute(0, 10))], samples);
  assert.deepEqual([found.ended.map((one) => one.samples), found.open?.samples.length], [[12, 2], 1]);
  const newest = newestMinute(found, begin + 125_000);
  assert.deepEqual([newest?.at, newest?.samples, newest?.memory], [begin + 60_000, 2, 70]);
});

test('lines that are none, and files that are not there, are passed over', (t) => {
  assert.deepEqual(restored(t, null, null), { ended: [], open: null });
  const bad = [
    '',
    '{',
    'null',
    '[]',
    '"x"',
    '{"at":1,"samples":1}',
    '{"at":-60000,"samples":1}',
    '{"at":"0","samples":1}',
  ];
  const found = restored(t, [...bad, JSON.stringify(minute(3, 1)), ...bad], [...bad, '{"v":2,"t":1}', sample(250, 5)]);
  assert.deepEqual([found.ended.map(({ at }) => at), found.open?.samples.length], [[begin + 180_000], 1]);
});

test('minutes that were written by a clock since set back are gone', (t) => {
  const written = [minute(0, 1), minute(60, 2), minute(61, 3), minute(1, 4)];
  const found = restored(
    t,
    written.map((one) => JSON.stringify(one)),
    null,
  );
  assert.deepEqual(
    found.ended.map(({ memory }) => memory),
    [1, 4],
  );
});
