import assert from 'node:assert/strict';
import { test } from 'node:test';
import { admit, nothingRemembered } from '../../../src/admission/admit.ts';
import type { Budget } from '../../../src/admission/types.ts';
import { bytes, millis, runId } from '../../../src/units/brands.ts';
import {
  admittedRuns,
  decide,
  gb,
  gpu,
  holding,
  lock,
  now,
  queueOf,
  resource,
  runs,
  stateOf,
  waiting,
} from './builders.ts';
import { Life, type Job } from './life.ts';

const budget: Budget = { cpusMilli: 64_000, memory: bytes(20 * gb), cores: 64, reserve: bytes(gb) };
const sized = (run: number, size: number, more: Parameters<typeof waiting>[1] = {}) =>
  waiting(run, { memory: bytes(size * gb), cpusMilli: 100, ...more });
const heads = (...args: Parameters<typeof decide>) =>
  decide(...args).remembered.heads.map(({ run, since }) => [run, ...since.keys()]);
const known = (typical: number, longest = typical) => ({
  memory: null,
  typicalMs: millis(typical),
  longestMs: millis(longest),
});

test('a 16 GB run among 2,000 of 1 GB starts when what ran before it has ended, and small ones go on beside it', () => {
  const life = new Life({ budget });
  const small = (run: number): Job => ({ entry: sized(run, 1), lasts: 60 + (run % 7) * 10 });
  life.submit(...Array.from({ length: 1000 }, (_, index) => small(index + 1)));
  life.submit({ entry: sized(1001, 16), lasts: 100 });
  life.submit(...Array.from({ length: 1000 }, (_, index) => small(index + 2001)));
  // As the first in its turn it is the head; until then it waits its turn.
  while (!life.started.has(1001)) {
    const waited = life.round?.remembered.heads.some(({ run }) => run === 1001) ?? false;
    if (waited) break;
    life.step();
  }
  const from = life.now;
  let least = Infinity;
  while (!life.started.has(1001)) {
    life.step();
    if (!life.started.has(1001)) least = Math.min(least, life.going.length);
  }
  assert.ok(life.now - from <= 120, `it took ${life.now - from}, and the longest of the small ones lasts 120`);
  assert.ok(least >= 4, 'small ones that fit beside it went on');
  assert.equal(life.going.length, 5, 'and they still do');
  life.run();
  assert.equal(life.ended.size, 2001);
});

test('what fits beside the head passes it, and no more than that', () => {
  const entries = [sized(1, 16), ...[2, 3, 4, 5, 6, 7].map((run) => sized(run, 1))];
  assert.deepEqual(admittedRuns(entries, { budget, holding: [holding(9, 10 * gb, 100)] }), [2, 3, 4, 5]);
});

test('what was let past before counts, and what held its part before the head came does not', () => {
  const queue = queueOf([sized(1, 16), sized(2, 3)]);
  const held = [holding(9, 10 * gb, 100)];
  const first = admit(queue, stateOf({ budget, holding: held }), nothingRemembered, now);
  assert.deepEqual(runs(first.admitted), [2]);
  queue.remove(runId(2));
  queue.add(sized(3, 2));
  queue.add(sized(4, 1));
  const passed = holding(2, 3 * gb, 100, { turn: first.admitted[0]?.turn ?? 0 });
  const second = admit(queue, stateOf({ budget, holding: [...held, passed] }), first.remembered, now);
  assert.deepEqual(runs(second.admitted), [4]);
});

test('who is surely over before the head’s room is there passes it too', () => {
  const held = [holding(9, 10 * gb, 100, { endsAt: millis(now + 1000) })];
  const five = (timeoutMs: number) => [sized(1, 16), sized(2, 5, { timeoutMs: millis(timeoutMs) })];
  assert.deepEqual(admittedRuns(five(1000), { budget, holding: held }), [2]);
  assert.deepEqual(admittedRuns(five(1001), { budget, holding: held }), []);
  const learned = { make: known(500, 900) };
  const make = [sized(1, 16), sized(2, 5, { command: 'make' })];
  assert.deepEqual(admittedRuns(make, { budget, holding: held, learned }), [2]);
  assert.deepEqual(admittedRuns(make, { budget, holding: held, learned: { make: known(500, 1001) } }), []);
});

test('where either end is unknown it waits; a time limit is a known end, and who is over its time may end any moment', () => {
  const entries = [sized(1, 16), sized(2, 5, { timeoutMs: millis(10) })];
  const given = (more: object) => ({ budget, holding: [holding(9, 10 * gb, 100, more)] });
  assert.deepEqual(admittedRuns(entries, given({})), []);
  assert.deepEqual(admittedRuns(entries, given({ endsBy: millis(now + 10) })), [2]);
  assert.deepEqual(admittedRuns(entries, given({ endsAt: millis(now - 1) })), []);
});

test('a head stays the head when shares change, and starts first when its room is there', () => {
  const queue = queueOf([sized(5, 16, { submitter: 'ada' })]);
  const held = [holding(9, 10 * gb, 100, { submitter: 'ada' })];
  const first = admit(queue, stateOf({ budget, holding: held }), nothingRemembered, now);
  for (let run = 10; run < 30; run += 1) queue.add(sized(run, 2, { submitter: 'bob' }));
  const second = admit(queue, stateOf({ budget, holding: held }), first.remembered, now);
  assert.deepEqual(runs(second.admitted), [10, 11]);
  const third = admit(queue, stateOf({ budget }), second.remembered, now);
  assert.equal(third.admitted[0]?.run, 5);
});

test('a run with a higher priority passes a head, and takes over what is saved up for it where it lacks the same; the other stays the next', () => {
  const queue = queueOf([sized(1, 16)]);
  const held = [holding(9, 10 * gb, 100)];
  const first = admit(queue, stateOf({ budget, holding: held }), nothingRemembered, now);
  queue.add(sized(2, 8, { priority: 1 }));
  assert.deepEqual(runs(admit(queue, stateOf({ budget, holding: held }), first.remembered, now).admitted), [2]);
  queue.add(sized(3, 18, { priority: 2 }));
  const { remembered } = admit(queue, stateOf({ budget, holding: held }), first.remembered, now);
  assert.deepEqual(
    remembered.heads.map(({ run, since }) => [run, ...since.keys()]),
    [[3, 'room'], [1]],
  );
});

test('a run that waits for devices saves up only those, so that it hides nobody who lacks memory', () => {
  const given = {
    budget,
    machine: { gpus: [gpu(0), gpu(1)] },
    holding: [holding(9, 10 * gb, 100, { gpus: ['GPU-0'] })],
  };
  const entries = [sized(1, 16, { gpus: 2 }), sized(2, 12), sized(3, 8), sized(4, 8, { gpus: 1 })];
  assert.deepEqual(heads(entries, given), [
    [1, 'gpus'],
    [2, 'room'],
  ]);
  assert.deepEqual(admittedRuns(entries, given), [3]);
});

test('a run that waits for a lock which is held gets that next and saves up no room for so long; when the lock is free it saves up room too', () => {
  const needs = [lock('db')];
  const entries = [sized(1, 16, { needs }), sized(2, 10), sized(3, 1, { needs })];
  const held = { budget, holding: [holding(9, 10 * gb, 100, { needs })] };
  assert.deepEqual([heads(entries, held), admittedRuns(entries, held)], [[[1, 'lock:db']], [2]]);
  const free = { budget, holding: [holding(9, 10 * gb, 100)] };
  assert.deepEqual(heads(entries, free), [[1, 'lock:db', 'room']]);
  assert.deepEqual(admittedRuns(entries, free), []);
});

test('who only lacks room keeps its lock also while another one is the head, so that it is not taken again and again', () => {
  const needs = [lock('db')];
  const entries = [sized(1, 19), sized(2, 16, { needs }), sized(3, 1, { needs })];
  const given = { budget, holding: [holding(9, 10 * gb, 100)] };
  assert.deepEqual(heads(entries, given), [
    [1, 'room'],
    [2, 'lock:db'],
  ]);
  assert.deepEqual(admittedRuns(entries, given), []);
});

test('of a resource that is short what comes free is saved up for the first, and for nobody else anything', () => {
  const amounts = { 'resource:licence': 4 };
  const needs = (amount: number) => ({ needs: [resource('licence', amount)] });
  const given = { budget, amounts, holding: [holding(9, gb, 100, needs(2))] };
  const entries = [sized(1, 1, needs(3)), sized(2, 1, needs(1)), sized(3, 1, needs(1)), sized(4, 1)];
  assert.deepEqual(heads(entries, given), [[1, 'resource:licence']]);
  assert.deepEqual(admittedRuns(entries, given), [2, 4]);
});

test('what others hold is not ours to save up: nobody waits behind a run that lacks that', () => {
  const entries = [sized(1, 16), sized(2, 10)];
  const others = { machine: { others: [{ user: 'eve', bytes: bytes(6 * gb) }] } };
  assert.deepEqual([heads(entries, { budget, ...others }), admittedRuns(entries, { budget, ...others })], [[], [2]]);
  const full = { machine: { availableBytes: bytes(10 * gb) } };
  assert.deepEqual([heads(entries, { budget, ...full }), admittedRuns(entries, { budget, ...full })], [[], [2]]);
  const foreign = { machine: { gpus: [gpu(0, { pid: 1, user: 'eve', name: 'x' }), gpu(1)] } };
  assert.deepEqual(admittedRuns([sized(1, 1, { gpus: 2 }), sized(2, 1, { gpus: 1 })], { budget, ...foreign }), [2]);
});

test('a head that ends, or is put aside, leaves nothing saved up', () => {
  const queue = queueOf([sized(1, 16), sized(2, 9)]);
  const held = [holding(9, 10 * gb, 100)];
  const first = admit(queue, stateOf({ budget, holding: held }), nothingRemembered, now);
  assert.deepEqual(runs(first.admitted), []);
  queue.add(sized(1, 16, { paused: { by: 'ada', reason: null, at: now } }));
  const second = admit(queue, stateOf({ budget, holding: held }), first.remembered, now);
  assert.deepEqual([runs(second.admitted), second.remembered.heads], [[2], []]);
});

test('a head that can never start any more, since the budget became smaller, leaves nothing saved up', () => {
  const queue = queueOf([sized(1, 16), sized(2, 9)]);
  const first = admit(queue, stateOf({ budget, holding: [holding(9, 10 * gb, 100)] }), nothingRemembered, now);
  const smaller = { ...budget, memory: bytes(15 * gb) };
  const second = admit(queue, stateOf({ budget: smaller }), first.remembered, now);
  assert.deepEqual([runs(second.admitted), second.remembered.heads], [[2], []]);
});
