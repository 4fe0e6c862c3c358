import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  minuteMs,
  minutesKept,
  newestMinute,
  noMinutes,
  withSample,
  type Minute,
  type Minutes,
  type MinuteSample,
} from '../../../src/sample/minutes.ts';

const begin = 1_796_040_000_000;
assert.equal(begin % minuteMs, 0);

/** A sample so many seconds after the beginning. */
const at = (
  seconds: number,
  { used = 50, total = 100 as number | null, disks = [[1, 9]], some = 0 } = {},
): MinuteSample => ({
  t: begin / 1000 + seconds,
  mem: { total, used: total === null ? null : used },
  disk: disks.map(([full = 0, free = 0], index) => ({ path: `/${index}`, total: 1000, used: full, free })),
  psi: { memory: { some, full: 0 }, io: { some: 2 * some, full: null } },
});

const all = (samples: readonly MinuteSample[]): { minutes: Minutes; closed: Minute[] } => {
  let minutes = noMinutes;
  const closed: Minute[] = [];
  for (const sample of samples) {
    const next = withSample(minutes, sample);
    minutes = next.minutes;
    if (next.closed !== null) closed.push(next.closed);
  }
  return { minutes, closed };
};

const after = (seconds: number): number => begin + seconds * 1000;
const newest = (samples: readonly MinuteSample[], seconds: number): Minute | null =>
  newestMinute(all(samples).minutes, after(seconds));

test('a minute has the mean of memory and pressure, and the fullest file system at its fullest', () => {
  const { closed } = all([
    at(0, {
      used: 80,
      some: 1,
      disks: [
        [1, 9],
        [5, 5],
      ],
    }),
    at(30, {
      used: 90,
      some: 3,
      disks: [
        [8, 2],
        [6, 4],
      ],
    }),
    at(59.9, { used: 100, some: 5, disks: [] }),
    at(60, { used: 1 }),
  ]);
  assert.deepEqual(closed, [
    {
      at: begin,
      samples: 3,
      memory: 90,
      disk: { path: '/0', percent: 80 },
      pressure: { memory: { some: 3, full: 0 }, io: { some: 6, full: null } },
    },
  ]);
});

test('what a machine does not tell is null, and does not count as 0', () => {
  const silent: MinuteSample = { t: begin / 1000, mem: { total: null, used: null }, disk: [], psi: null };
  const none = { some: null, full: null };
  assert.deepEqual(newest([silent], 60), {
    at: begin,
    samples: 1,
    memory: null,
    disk: null,
    pressure: { memory: none, io: none },
  });
  assert.equal(newest([silent, at(1, { used: 70 })], 60)?.memory, 70);
  assert.equal(newest([at(0, { total: 0, used: 0, disks: [[0, 0]] })], 60)?.memory, null);
});

const cases: [what: string, samples: MinuteSample[], now: number, minute: number | null][] = [
  ['before its end a minute does not count', [at(0), at(50)], 59.999, null],
  ['at its end it does, though no sample came after it', [at(0), at(50)], 60, 0],
  ['an old one stays the newest while none comes', [at(0)], 3600, 0],
  ['one sample is enough', [at(119)], 120, 60],
  ['of a minute without a sample there is none', [at(10), at(200)], 239, 0],
  ['without samples there is none', [], 3600, null],
  ['a clock set back by an hour takes back what came later', [at(3590), at(3610), at(10)], 60, 0],
  ['a clock set back within its minute changes nothing', [at(50), at(20)], 60, 0],
  ['a clock set back into the minute before begins that one anew', [at(10), at(70), at(50)], 60, 0],
  ['a clock set back without a sample since leaves those that are over by it', [at(10), at(3610)], 100, 0],
];

for (const [what, samples, now, minute] of cases) {
  test(`the newest minute: ${what}`, () => {
    assert.equal(newest(samples, now)?.at, minute === null ? undefined : after(minute));
  });
}

test('a minute that a clock since set back called later is neither kept nor told as one that ended', () => {
  const { minutes, closed } = all([at(10), at(70), at(130), at(30)]);
  assert.deepEqual(minutes.ended, []);
  assert.deepEqual(
    closed.map((minute) => minute.at),
    [after(0), after(60)],
  );
});

test('after a clock was set back into a minute, only samples since then count for it', () => {
  const found = newest([at(10, { used: 99 }), at(70), at(50, { used: 20 })], 60);
  assert.deepEqual([found?.samples, found?.memory], [1, 20]);
});

test('minutes are in order, each once, and a day of them is kept', () => {
  const { minutes, closed } = all(Array.from({ length: minutesKept + 10 }, (_, index) => at(60 * index)));
  assert.equal(closed.length, minutesKept + 9);
  assert.equal(minutes.ended.length, minutesKept);
  assert.deepEqual(
    minutes.ended.map((minute) => minute.at),
    Array.from({ length: minutesKept }, (_, index) => begin + (index + 9) * minuteMs),
  );
});
