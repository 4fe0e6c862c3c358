import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleLine, type SampleLine } from '../../../src/sample/sample-line.ts';
import { sampleLoop, type LoopParts } from '../../../src/sample/sample-loop.ts';
import { FakeClock } from './fake-clock.ts';
import { look, run } from './looks.ts';

const aLine: SampleLine = sampleLine({ host: 'h', cores: 1 }, look(0), look(1), run());

/** When lines were taken, in ms since the start. */
const taken = async (
  changes: Partial<LoopParts> & { overAt?: number },
  clock = new FakeClock(),
): Promise<{ readonly at: number[]; readonly complaints: unknown[] }> => {
  const at: number[] = [];
  const complaints: unknown[] = [];
  await sampleLoop({
    clock,
    seconds: 5,
    count: null,
    isOver: () => clock.now() >= (changes.overAt ?? Number.POSITIVE_INFINITY),
    line: () => Promise.resolve(aLine),
    write: () => {
      at.push(clock.now());
      return Promise.resolve();
    },
    onDropped: (cause) => complaints.push(cause),
    ...changes,
  });
  return { at, complaints };
};

test('the first line is a fifth of a second after the start, also with a long interval', async () => {
  assert.deepEqual((await taken({ seconds: 3600, count: 1 })).at, [200]);
});

test('so many lines come as were asked for, at their interval', async () => {
  assert.deepEqual((await taken({ count: 4 })).at, [200, 5200, 10200, 15200]);
  assert.deepEqual((await taken({ count: 3, seconds: 0.25 })).at, [200, 450, 700]);
});

test('a last line comes within a second of the end', async () => {
  const { at } = await taken({ overAt: 6100 });
  assert.deepEqual(at.slice(0, -1), [200, 5200]);
  const last = at.at(-1) ?? 0;
  assert.ok(last >= 6100 && last <= 7100, String(last));
});

test('what was over before the first line has that one line', async () => {
  assert.deepEqual((await taken({ overAt: 0 })).at, [200]);
});

test('lines that the machine slept through are not made up for, and the beat stays', async () => {
  const clock = new FakeClock();
  const times: number[] = [];
  const write = (): Promise<void> => {
    times.push(clock.now());
    if (times.length === 2) clock.time += 3601_000;
    return Promise.resolve();
  };
  await taken({ count: 4, write }, clock);
  assert.deepEqual(times, [200, 5200, 3610200, 3615200]);
});

test('a line that cannot be kept is dropped with one message, and the next ones are tried', async () => {
  let tried = 0;
  const write = (): Promise<void> => {
    tried += 1;
    return tried === 2 ? Promise.resolve() : Promise.reject(new Error(`no. ${tried}`));
  };
  const { complaints } = await taken({ count: 4, write });
  assert.equal(tried, 4);
  assert.deepEqual(complaints, [new Error('no. 1')]);
});

test('a look that fails costs its line and nothing more', async () => {
  let looks = 0;
  const line = (): Promise<SampleLine> => {
    looks += 1;
    return looks === 1 ? Promise.reject(new Error('odd')) : Promise.resolve(aLine);
  };
  const { at, complaints } = await taken({ count: 3, line });
  assert.deepEqual(at, [5200, 10200]);
  assert.equal(complaints.length, 1);
});

test('no wait is ever negative, however time passes between two looks at the clock', async () => {
  const clock = new FakeClock();
  const waits: number[] = [];
  const hasty = {
    // Time passes by asking, too.
    now: () => (clock.time += 0.7),
    sleep: (ms: number) => {
      waits.push(ms);
      return clock.sleep(ms);
    },
  };
  await taken({ clock: hasty, seconds: 0.001, count: 50 }, clock);
  assert.ok(waits.every((ms) => ms > 0));
});
