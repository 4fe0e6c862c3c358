import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import {
  mostTimes,
  parseTimes,
  placeSince,
  recordBytes,
  timeRecord,
  type LogTime,
} from '../../../src/logs/log-times.ts';
import { addTimes, readTimes, timeFile } from '../../../src/logs/time-file.ts';

const at = (offset: number, ms: number): LogTime => ({ offset, ms });
/** A start that began at 1000: it wrote up to 2000, was quiet, wrote again just after 8000, and nobody looked from 9000 to 20000. */
const times = [at(50, 1500), at(100, 2000), at(100, 8000), at(150, 9000), at(400, 20_000)];
const going = { began: 1000, ended: null, seen: at(400, 30_000) } as const;

const cases: readonly [what: string, since: number, place: LogTime | null, ended?: number][] = [
  ['before it began: all of it', 500, at(0, 1000)],
  ['between two looks: from the earlier one on', 1700, at(50, 1500)],
  ['at a look', 2000, at(100, 2000)],
  ['while it was quiet: nothing older', 5000, at(100, 5000)],
  ['in a time in which nobody looked: all of that time', 15_000, at(150, 9000)],
  ['quiet up to now', 25_000, at(400, 25_000)],
  ['just now', 30_500, at(400, 30_000)],
  ['over by then: nothing', 40_001, null, 40_000],
  ['just before it was over', 39_999, at(400, 30_000), 40_000],
];

for (const [what, since, place, ended] of cases) {
  test(`what was written since a moment begins where it must, and never later; ${what}`, () => {
    assert.deepEqual(placeSince(times, { ms: since, ...going, ended: ended ?? null }), place);
  });
}

test('a clock that was set back makes more be shown, not less; without records it is all from the beginning', () => {
  const back = [at(50, 5000), at(100, 2000), at(150, 3000)];
  const since = (ms: number, records: readonly LogTime[]): LogTime | null =>
    placeSince(records, { ms, began: 1000, ended: null, seen: null });
  assert.deepEqual(since(2500, back), at(0, 1000));
  assert.deepEqual(since(6000, back), at(150, 3000));
  assert.deepEqual(since(6000, []), at(0, 1000));
});

const aLog = (t: TestContext): string => {
  const folder = mkdtempSync(join(tmpdir(), 'orca-log-times-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return join(folder, '1.stdout');
};

test('records are lines beside the log; what a full disk left of one is written over, and garbage is left out', async (t) => {
  const log = aLog(t);
  assert.deepEqual(await readTimes(log), []);
  addTimes(log, [at(5, 1_800_000_000_001)]);
  assert.equal(readFileSync(timeFile(log), 'latin1'), '000000000000005 1800000000001\n');
  assert.equal(statSync(timeFile(log)).mode & 0o777, 0o600);
  appendFileSync(timeFile(log), '0000000000');
  addTimes(log, [at(7, 1_800_000_000_002), at(2 ** 45, 1_800_000_000_003)]);
  assert.deepEqual(await readTimes(log), [
    at(5, 1_800_000_000_001),
    at(7, 1_800_000_000_002),
    at(2 ** 45, 1_800_000_000_003),
  ]);
  truncateSync(timeFile(log), 2 * recordBytes + 3);
  assert.equal((await readTimes(log)).length, 2);
  writeFileSync(timeFile(log), `${'\0'.repeat(recordBytes)}${timeRecord(at(9, 10))}`);
  assert.deepEqual(parseTimes(readFileSync(timeFile(log), 'latin1')), [at(9, 10)]);
});

test('a year of records stays small: old ones are thinned out, the newest are all there', async (t) => {
  const log = aLog(t);
  for (let second = 1; second <= 10_000; second += 1) addTimes(log, [at(second, second * 1000)]);
  const kept = await readTimes(log);
  assert.ok(kept.length <= mostTimes && statSync(timeFile(log)).size <= mostTimes * recordBytes);
  assert.deepEqual(
    kept.slice(-1000).map(({ offset }) => offset),
    Array.from({ length: 1000 }, (_, index) => 9001 + index),
  );
  assert.ok(kept.every(({ offset }, index) => offset > (kept[index - 1]?.offset ?? 0)));
  assert.ok((kept[0]?.offset ?? Infinity) < 100);
});
