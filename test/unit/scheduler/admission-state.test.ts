import assert from 'node:assert/strict';
import { test } from 'node:test';
import { admissionState } from '../../../src/scheduler/admission-state.ts';
import { LearnedCommands } from '../../../src/scheduler/learned.ts';
import type { Scheduler } from '../../../src/scheduler/scheduler.ts';
import { bytes, millis } from '../../../src/units/brands.ts';
import { holding } from '../admission/builders.ts';

const live = (run: number, more: object) => ({
  ...holding(run, 1000),
  row: { command: 'make', timeout_ms: 9000 },
  parent: null,
  released: false,
  since: 5000,
  lastRss: null,
  ...more,
});
const schedulerOf = (starts: readonly ReturnType<typeof live>[], claiming: readonly object[] = []): Scheduler => {
  const learned = new LearnedCommands();
  learned.put('make', [{ peakBytes: bytes(1), durationMs: millis(700) }]);
  const resources = new Map([['licence', 2]]);
  return {
    live: new Map(starts.map((start) => [start.run, start])),
    claiming: new Map(claiming.map((held, index) => [index, held])),
    learned,
    settings: { resources, get: () => 3 },
  } as unknown as Scheduler;
};

test('what runs inside another lives off its part: it holds nothing, and its memory counts as that one’s', () => {
  const { holding: held } = admissionState(
    schedulerOf([
      live(1, { lastRss: 100 }),
      live(2, { parent: { run: 1 }, lastRss: 20 }),
      live(3, { parent: { run: 2 }, lastRss: 3 }),
      live(4, {}),
    ]),
  );
  assert.deepEqual(
    held.map(({ run, residentBytes }) => [run, residentBytes]),
    [
      [1, 123],
      [4, null],
    ],
  );
});

test('ends are told from the moment it ran: by what was learned, and by its time limit', () => {
  const ends = (more: object) => {
    const [first] = admissionState(schedulerOf([live(1, more)])).holding;
    return [first?.endsAt, first?.endsBy];
  };
  assert.deepEqual(ends({}), [5700, 14_000]);
  assert.deepEqual(ends({ since: 4000 }), [4700, 13_000]);
  assert.deepEqual(ends({ row: { command: null, timeout_ms: null } }), [null, null]);
});

test('a start whose end is being committed holds nothing, and one that is being claimed does, unless it is inside another', () => {
  const claimed = holding(5, 1000);
  const { holding: held } = admissionState(
    schedulerOf([live(1, { released: true })], [claimed, { ...claimed, run: 6, cpusMilli: 0 }]),
  );
  assert.deepEqual(
    held.map(({ run }) => run),
    [5],
  );
});

test('there is as much of each resource as config.toml declares, and as many slots on control as its setting says', () => {
  assert.deepEqual(
    admissionState(schedulerOf([])).amounts,
    new Map([
      ['resource:licence', 2],
      ['slot:control', 3],
    ]),
  );
});
