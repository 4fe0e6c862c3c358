import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FairShares, noPasses } from '../../../src/admission/fair-shares.ts';
import { bytes } from '../../../src/units/brands.ts';
import { admittedRuns, gb, gpu, holding, lock, stateOf, waiting } from './builders.ts';
import { Life, small, type Job } from './life.ts';

const job = (run: number, submitter: string, more: Parameters<typeof waiting>[1] = {}, lasts = 10): Job => ({
  entry: waiting(run, { submitter, memory: small, ...more }),
  lasts,
});
const many = (from: number, count: number, submitter: string, more: Parameters<typeof waiting>[1] = {}): Job[] =>
  Array.from({ length: count }, (_, index) => job(from + index, submitter, more));
/** Who was started before a run, by number. */
const before = (life: Life, run: number): number[] => {
  const started = [...life.started.keys()];
  return started.slice(0, started.indexOf(run));
};

test('of two submitters, one with a thousand runs and one with two, the second’s do not wait for the thousand', () => {
  const life = new Life();
  life.submit(...many(1, 1000, 'ada'));
  life.submit(...many(2001, 2, 'bob'));
  life.run();
  assert.ok(before(life, 2001).length <= 3, `${before(life, 2001).length} went before`);
  assert.ok(before(life, 2002).length <= 5, `${before(life, 2002).length} went before`);
  assert.equal(life.ended.size, 1002);
});

test('so it is with one slot and with runs that are over before the next one starts', () => {
  const life = new Life();
  life.submit(...many(1, 1000, 'ada', { cpusMilli: 2000 }));
  life.submit(...many(2001, 2, 'bob', { cpusMilli: 2000 }));
  life.run();
  assert.ok(before(life, 2001).length <= 2);
  assert.ok(before(life, 2002).length <= 4);
});

test('who comes first with his runs does not wait behind a thousand of someone who came before either', () => {
  const life = new Life();
  life.submit(...many(1, 1000, 'ada', { cpusMilli: 2000 }));
  for (let step = 0; step < 300; step += 1) life.step();
  life.submit(...many(2001, 2, 'bob', { cpusMilli: 2000 }));
  const at = life.started.size;
  life.run();
  assert.ok(before(life, 2002).length <= at + 4);
});

test('so it is where nobody holds anything in the moment of the choice, as with a lock: who was given least goes first', () => {
  const needs = [lock('db')];
  const life = new Life();
  life.submit(...many(1, 500, 'ada', { cpusMilli: 100, needs }));
  life.submit(...many(2001, 2, 'bob', { cpusMilli: 100, needs }));
  life.run();
  assert.ok(before(life, 2001).length <= 2, `${before(life, 2001).length} went before`);
  assert.ok(before(life, 2002).length <= 4, `${before(life, 2002).length} went before`);
});

test('and who comes back there does not get what it did not ask for meanwhile', () => {
  const needs = [lock('db')];
  const life = new Life();
  life.submit(job(1, 'bob', { cpusMilli: 100, needs }), ...many(11, 200, 'ada', { cpusMilli: 100, needs }));
  for (let step = 0; step < 100; step += 1) life.step();
  life.submit(...many(1001, 50, 'bob', { cpusMilli: 100, needs }));
  const at = life.started.size;
  for (let step = 0; step < 20; step += 1) life.step();
  const bobs = [...life.started.keys()].slice(at).filter((run) => run > 1000).length;
  assert.ok(bobs >= 8 && bobs <= 12, `${bobs} of 20 were his`);
});

test('a submitter that was away does not get what it did not ask for meanwhile', () => {
  const life = new Life();
  life.submit(job(1, 'bob', { cpusMilli: 2000 }), ...many(11, 200, 'ada', { cpusMilli: 2000 }));
  for (let step = 0; step < 100; step += 1) life.step();
  life.submit(...many(1001, 50, 'bob', { cpusMilli: 2000 }));
  const at = life.started.size;
  for (let step = 0; step < 20; step += 1) life.step();
  const lately = [...life.started.keys()].slice(at);
  const bobs = lately.filter((run) => run > 1000).length;
  assert.ok(Math.abs(bobs - (lately.length - bobs)) <= 2, `${bobs} of ${lately.length} were his`);
});

test('who holds the larger share of anything goes later: of cpus, of memory, of devices', () => {
  const entries = [
    waiting(1, { submitter: 'ada', ...{ memory: small } }),
    waiting(2, { submitter: 'bob', memory: small }),
  ];
  const cpus = (a: number, b: number) =>
    admittedRuns(entries, {
      holding: [holding(8, 1, a, { submitter: 'ada' }), holding(9, 1, b, { submitter: 'bob' })],
    });
  assert.deepEqual(cpus(500, 400), [2]);
  assert.deepEqual(cpus(400, 500), [1]);
  const memory = [holding(8, 3 * gb, 500, { submitter: 'ada' }), holding(9, 1, 500, { submitter: 'bob' })];
  assert.deepEqual(admittedRuns(entries, { holding: memory }), [2]);
  const gpus = [holding(8, 1, 500, { submitter: 'ada', gpus: ['GPU-0'] }), holding(9, gb, 500, { submitter: 'bob' })];
  assert.deepEqual(admittedRuns(entries, { holding: gpus, machine: { gpus: [gpu(0), gpu(1)] } }), [2]);
});

test('with equal shares the older run goes first, whatever the submitters are called', () => {
  const pair = (a: string, b: string) =>
    admittedRuns([waiting(7, { submitter: a, cpusMilli: 2000 }), waiting(3, { submitter: b, cpusMilli: 2000 })]);
  assert.deepEqual([pair('ada', 'bob'), pair('bob', 'ada')], [[3], [3]]);
});

test('priority goes before fairness', () => {
  const entries = [waiting(1, { submitter: 'ada', priority: 1 }), waiting(2, { submitter: 'bob' })];
  assert.deepEqual(admittedRuns(entries, { holding: [holding(9, 1, 1000, { submitter: 'ada' })] }), [1]);
});

test('big and small runs of two submitters get the same of the machine, not the same number of turns', () => {
  const life = new Life({ budget: { cpusMilli: 16_000, memory: bytes(16 * gb), cores: 16, reserve: bytes(gb) } });
  life.submit(...many(1, 100, 'ada', { cpusMilli: 4000 }), ...many(1001, 400, 'bob', { cpusMilli: 1000 }));
  for (let step = 0; step < 12; step += 1) {
    life.step();
    const of = (low: number, high: number): number => life.going.filter((run) => run >= low && run < high).length;
    assert.deepEqual([of(1, 1000) * 4, of(1000, 2000)], [8, 8]);
  }
});

test('beside a run that goes on and on, of thousands who come once the last thousand are remembered', () => {
  const stays = holding(1, gb, 1000, { submitter: 'ada' });
  let passes = noPasses;
  for (let run = 2; run < 5000; run += 1) {
    const shares = new FairShares(stateOf({ holding: [stays] }), [`make ${run}`], passes);
    shares.take(holding(run, gb, 1000, { submitter: `make ${run}` }));
    ({ passes } = shares);
  }
  assert.ok(passes.of.size <= 1002, `${passes.of.size} are remembered`);
  for (const one of ['ada', 'make 4999', 'make 4998', 'make 4001']) assert.ok(passes.of.has(one), one);
});
