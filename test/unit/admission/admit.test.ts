import assert from 'node:assert/strict';
import { test } from 'node:test';
import { admit, nothingRemembered } from '../../../src/admission/admit.ts';
import { countedMemory } from '../../../src/admission/counted-memory.ts';
import { bytes, millis } from '../../../src/units/brands.ts';
import {
  admittedRuns,
  budget,
  decide,
  gb,
  gpu,
  group,
  holding,
  lock,
  now,
  queueOf,
  resource,
  runs,
  slot,
  stateOf,
  waiting,
} from './builders.ts';

const small = { memory: bytes(1) };
const learned = (memory: number | null, typical = 1000, longest = typical) => ({
  memory: memory === null ? null : bytes(memory),
  typicalMs: millis(typical),
  longestMs: millis(longest),
});

test('a machine runs as many plain commands at once as it has cores', () => {
  assert.deepEqual(admittedRuns([waiting(1), waiting(2), waiting(3)]), [1, 2]);
});

test('a run without a request counts for its share of the budget, at least 1 GB, at most all of it, and is expected to use 1 GB', () => {
  assert.deepEqual(countedMemory(null, null, budget), { counted: 2 * gb, expected: gb, source: 'share' });
  assert.equal(countedMemory(null, null, { ...budget, cores: 64 }).counted, gb);
  const tiny = countedMemory(null, null, { ...budget, memory: bytes(gb / 2) });
  assert.deepEqual([tiny.counted, tiny.expected], [gb / 2, gb / 2]);
});

test('a request counts as it is, and what was learned counts where there is none, at most the budget', () => {
  assert.deepEqual(countedMemory(bytes(5), bytes(7), budget), { counted: 5, expected: 5, source: 'request' });
  assert.deepEqual(countedMemory(null, bytes(7), budget), { counted: 7, expected: 7, source: 'learned' });
  assert.equal(countedMemory(null, bytes(9 * gb), budget).counted, budget.memory);
});

test('what was learned counts at the decision, whatever was known when the run was queued', () => {
  const queue = queueOf([1, 2, 3].map((run) => waiting(run, { command: 'make', cpusMilli: 100 })));
  const before = admit(queue, stateOf(), nothingRemembered, now);
  assert.deepEqual(runs(before.admitted), [1, 2]);
  queue.learned('make');
  const after = decide(
    [1, 2, 3].map((run) => waiting(run, { command: 'make', cpusMilli: 100 })),
    { learned: { make: learned(gb) } },
  );
  assert.deepEqual(
    after.admitted.map(({ run, grant, counted, expected }) => [run, grant, counted, expected]),
    [1, 2, 3].map((run) => [run, null, gb, gb]),
  );
});

test('a request of the whole budget is admitted, and one byte more of what is held keeps it waiting', () => {
  const whole = waiting(1, { memory: budget.memory });
  assert.deepEqual(admittedRuns([whole]), [1]);
  assert.deepEqual(admittedRuns([whole], { holding: [holding(9, 1, 0)] }), []);
});

test('cpus are counted in thousandths', () => {
  assert.deepEqual(
    admittedRuns([1, 2, 3, 4, 5].map((run) => waiting(run, { cpusMilli: 500, ...small }))),
    [1, 2, 3, 4],
  );
});

test('a run that can never start, since the budget became smaller, holds nobody up', () => {
  const tooBig = [waiting(1, { memory: bytes(5 * gb) }), waiting(2, { cpusMilli: 3000 })];
  assert.deepEqual(admittedRuns([...tooBig, waiting(3)]), [3]);
});

test('a run inside another starts whatever is taken and whoever waits, and counts for nothing', () => {
  const full = holding(1, 4 * gb, 2000);
  const inside = waiting(5, { inside: 1, memory: bytes(3 * gb), cpusMilli: 2000, needs: [lock('db')] });
  const { admitted } = decide([waiting(2, { priority: 9 }), waiting(3), inside], { holding: [full] });
  assert.deepEqual(
    admitted.map(({ run, grant, counted }) => [run, grant, counted]),
    [[5, 3 * gb, 0]],
  );
  assert.deepEqual(admittedRuns([inside, waiting(6), waiting(7)]), [5, 6, 7]);
});

test('a run inside another waits for its back-off only', () => {
  assert.deepEqual(admittedRuns([waiting(5, { inside: 1, notBefore: millis(now + 1) }), waiting(6)]), [6]);
  assert.deepEqual(admittedRuns([waiting(5, { inside: 1, notBefore: now })]), [5]);
});

test('after `down`, and while the queue is paused, only what is inside other runs goes on', () => {
  const entries = [waiting(1), waiting(2, { inside: 9 })];
  assert.deepEqual(admittedRuns(entries, { down: true }), [2]);
  assert.deepEqual(admittedRuns(entries, { paused: { by: 'ada', reason: null, at: now } }), [2]);
});

test('a run in its back-off, one that is held back and one that comes after others hold nobody up', () => {
  const paused = { by: 'ada', reason: null, at: now };
  const aside = [waiting(1, { notBefore: millis(now + 1) }), waiting(2, { paused }), waiting(3, { after: ['run 9'] })];
  assert.deepEqual(admittedRuns([...aside, waiting(4)]), [4]);
});

test('a lock is had by one run at a time, and who does not need it goes on', () => {
  const needs = [lock('db')];
  const entries = [waiting(1, { needs, ...small }), waiting(2, { needs, ...small }), waiting(3, small)];
  assert.deepEqual(admittedRuns(entries), [1, 3]);
  assert.deepEqual(admittedRuns(entries, { holding: [holding(9, 1, 0, { needs })] }), [3]);
});

test('of a resource as much is given as there is, and none where nobody said how much', () => {
  const entries = [2, 2, 1].map((amount, index) =>
    waiting(index + 1, { needs: [resource('licence', amount)], cpusMilli: 100, ...small }),
  );
  assert.deepEqual(admittedRuns(entries, { amounts: { 'resource:licence': 2 } }), [1]);
  assert.deepEqual(admittedRuns(entries, { amounts: { 'resource:licence': 5 } }), [1, 2, 3]);
  assert.deepEqual(admittedRuns(entries), []);
});

test('a run counts for no more than its placement lets it have, with a share or with what was learned', () => {
  const most = bytes(gb / 4);
  const learned = { known: { memory: bytes(2 * gb), typicalMs: millis(1000), longestMs: millis(1000) } };
  const entries = [waiting(1, { most, cpusMilli: 100 }), waiting(2, { most, cpusMilli: 100, command: 'known' })];
  const { admitted } = decide(entries, { learned });
  assert.deepEqual(
    admitted.map(({ counted, expected }) => [counted, expected]),
    [
      [gb / 4, gb / 4],
      [gb / 4, gb / 4],
    ],
  );
});

test('a placement has so many slots, and one that nothing starts runs for has none', () => {
  const entries = [1, 2, 3].map((run) => waiting(run, { needs: [slot('control')], cpusMilli: 100, ...small }));
  assert.deepEqual(admittedRuns(entries, { amounts: { 'slot:control': 2 } }), [1, 2]);
  assert.deepEqual(admittedRuns([waiting(1, { needs: [slot('ec2')] }), waiting(2)]), [2]);
});

test('control takes no run while the host is too full by its newest minute, and others go on', () => {
  const amounts = { 'slot:control': 2 };
  const minute = (memory: number, endedAt: number) => ({ endedAt: millis(endedAt), memory, disk: null });
  const entries = [waiting(1, { needs: [slot('control')], ...small }), waiting(2, small)];
  assert.deepEqual(admittedRuns(entries, { amounts, machine: { minute: minute(86, now) } }), [2]);
  assert.deepEqual(admittedRuns(entries, { amounts, machine: { minute: minute(85, now) } }), [1, 2]);
  assert.deepEqual(admittedRuns(entries, { amounts, machine: { minute: minute(99, now - 180_001) } }), [1, 2]);
});

test('of a group so many run at once as its bound says', () => {
  const entries = [1, 2, 3].map((run) => waiting(run, { needs: [group(1, 2)], cpusMilli: 100, ...small }));
  assert.deepEqual(admittedRuns([...entries, waiting(4, small)]), [1, 2, 4]);
});

test('devices are given by number, lowest first, and what others use is not given', () => {
  const foreign = { pid: 7, user: 'eve', name: 'python' };
  const machine = { gpus: [gpu(3), gpu(2), gpu(0, foreign), gpu(1)] };
  const { admitted } = decide([waiting(1, { gpus: 2, ...small }), waiting(2, { gpus: 1, ...small })], {
    machine,
    holding: [holding(9, 1, 0, { gpus: ['GPU-1'] })],
  });
  assert.deepEqual(
    admitted.map(({ gpus }) => gpus),
    [['GPU-2', 'GPU-3']],
  );
});

test('while it is not known what uses the devices, who needs one waits and is not refused', () => {
  const entries = [waiting(1, { gpus: 1 }), waiting(2)];
  const { admitted } = decide(entries, { machine: { gpus: [], gpusUnknown: 'nvidia-smi has not answered yet' } });
  assert.deepEqual(runs(admitted), [2]);
});

test('what other users’ daemons have promised is not given', () => {
  const whole = [waiting(1, { memory: budget.memory })];
  assert.deepEqual(admittedRuns(whole, { machine: { others: [{ user: 'eve', bytes: bytes(1) }] } }), []);
  const three = [waiting(1, { memory: bytes(3 * gb) })];
  assert.deepEqual(admittedRuns(three, { machine: { others: [{ user: 'eve', bytes: bytes(gb) }] } }), [1]);
});

test('the machine must truly have what a run is expected to use, the reserve included', () => {
  const one = [waiting(1, { memory: bytes(2 * gb) })];
  const available = (size: number) => ({ machine: { availableBytes: bytes(size) } });
  assert.deepEqual(admittedRuns(one, available(gb)), [1]);
  assert.deepEqual(admittedRuns(one, available(gb - 1)), []);
  assert.deepEqual(admittedRuns([waiting(1)], available(0)), [1], 'a share of 2 GB is only a count');
});

test('what was granted and is not used yet is not there for others, and what is used is not counted twice', () => {
  const one = [waiting(1, { memory: bytes(gb) })];
  const given = (residentBytes: number | null) => ({
    machine: { availableBytes: bytes(gb) },
    holding: [holding(9, 2 * gb, 1000, { residentBytes: residentBytes === null ? null : bytes(residentBytes) })],
  });
  assert.deepEqual(admittedRuns(one, given(gb)), [1]);
  assert.deepEqual(admittedRuns(one, given(gb - 1)), []);
  assert.deepEqual(admittedRuns(one, given(null)), []);
  assert.deepEqual(admittedRuns(one, given(3 * gb)), [1], 'more than it was granted: it has that already');
});

test('what a run uses over what it was granted is gone as well', () => {
  const given = (memory: number) =>
    admittedRuns([waiting(1, { memory: bytes(memory) })], {
      machine: { availableBytes: bytes(0) },
      holding: [holding(9, gb / 2, 1000, { residentBytes: bytes(3 * gb) })],
    });
  assert.deepEqual([given(gb), given(gb + 1)], [[1], []]);
});

test('low memory of the machine holds also when nothing of ours runs: nothing would be won by a start', () => {
  assert.deepEqual(
    admittedRuns([waiting(1, { memory: bytes(3 * gb) })], { machine: { availableBytes: bytes(gb) } }),
    [],
  );
});

test('pressure over its bound holds new starts, at it does not, and what runs cause at their own limits is taken out', () => {
  const held = { holding: [holding(9, 1, 100)] };
  const entries = [waiting(1)];
  assert.deepEqual(admittedRuns(entries, { ...held, machine: { memoryPressure: 20.1 } }), []);
  assert.deepEqual(admittedRuns(entries, { ...held, machine: { memoryPressure: 20 } }), [1]);
  assert.deepEqual(admittedRuns(entries, { ...held, machine: { memoryPressure: 50, ownPressure: 30 } }), [1]);
  assert.deepEqual(admittedRuns(entries, { ...held, machine: { memoryPressure: 50, ownPressure: 29 } }), []);
  assert.deepEqual(admittedRuns(entries, { ...held, machine: { ioPressure: 61 } }), []);
  assert.deepEqual(
    admittedRuns(entries, { ...held, machine: { memoryPressure: 99, ioPressure: 99 }, pressure: { memory: 0, io: 0 } }),
    [1],
  );
});

test('under any pressure one run goes on when none of ours does, and only one', () => {
  assert.deepEqual(admittedRuns([waiting(1, small), waiting(2, small)], { machine: { memoryPressure: 99 } }), [1]);
});

test('pressure makes no head: what is saved up is saved up for who lacks it', () => {
  const round = decide([waiting(1)], { holding: [holding(9, 1, 100)], machine: { memoryPressure: 99 } });
  assert.deepEqual(round.remembered.heads, []);
});

test('hundreds of different commands that wait for one lock keep nobody behind them from starting', () => {
  const db = Array.from({ length: 3000 }, (_, index) =>
    waiting(index + 1, { cpusMilli: 100, memory: bytes(index + 1), needs: [lock('db')] }),
  );
  const holds = holding(9000, 1, 100, { needs: [lock('db')] });
  assert.deepEqual(admittedRuns([...db, waiting(4000, { ...small, cpusMilli: 100 })], { holding: [holds] }), [4000]);
});

test('nor do those that wait for a resource, for devices, for more memory than is free, or for what is saved up', () => {
  const kinds = (more: Parameters<typeof waiting>[1]) =>
    Array.from({ length: 1000 }, (_, index) => waiting(index + 1, { cpusMilli: index + 1, memory: bytes(1), ...more }));
  const last = waiting(4000, { cpusMilli: 100, memory: bytes(1) });
  const licence = { needs: [resource('licence', 1)] };
  const amounts = { 'resource:licence': 2 };
  const held = holding(9000, 1, 100, { needs: [resource('licence', 2)] });
  assert.deepEqual(admittedRuns([...kinds(licence), last], { amounts, holding: [held] }), [4000]);
  const half = holding(9000, 1, 100, licence);
  const both = waiting(3999, { cpusMilli: 1, memory: bytes(1), priority: 1, needs: [resource('licence', 2)] });
  assert.deepEqual(admittedRuns([both, ...kinds(licence), last], { amounts, holding: [half] }), [4000]);
  const machine = { gpus: [gpu(0)] };
  const device = holding(9000, 1, 100, { gpus: ['GPU-0'] });
  assert.deepEqual(admittedRuns([...kinds({ gpus: 1 }), last], { machine, holding: [device] }), [4000]);
  const full = holding(9000, budget.memory - 1, 100);
  const large = kinds({}).map((entry) => waiting(entry.run, { cpusMilli: 100, memory: bytes(1 + entry.run) }));
  assert.deepEqual(admittedRuns([...large, last], { holding: [full] }), [4000]);
});

test('who may have more turns of a group than others is not kept with them', () => {
  const holds = holding(9000, 1, 100, { needs: [group(1, 1)] });
  const entries = [waiting(1, { ...small, needs: [group(1, 1)] }), waiting(2, { ...small, needs: [group(1, 2)] })];
  assert.deepEqual(admittedRuns(entries, { holding: [holds] }), [2]);
});
