import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { admit, nothingRemembered } from '../../../src/admission/admit.ts';
import { factsOf, type Fact } from '../../../src/admission/facts.ts';
import type { AdmissionState, Waiting } from '../../../src/admission/types.ts';
import { bytes, millis } from '../../../src/units/brands.ts';
import {
  budget,
  gb,
  gpu,
  group,
  lock,
  now,
  queueOf,
  resource,
  runs,
  slot,
  stateOf,
  waiting,
  type Given,
} from './builders.ts';
import { Life, type Job } from './life.ts';

const given: Given = {
  budget,
  amounts: { 'resource:licence': 3, 'slot:control': 2 },
  machine: { gpus: [gpu(0), gpu(1), gpu(2, { pid: 1, user: 'eve', name: 'x' })] },
  learned: {
    make: { memory: bytes(gb), typicalMs: millis(5), longestMs: millis(9) },
    sort: { memory: null, typicalMs: millis(2), longestMs: millis(30) },
  },
};

const needs = fc.subarray([lock('a'), lock('b'), group(4, 2), slot('control')], { maxLength: 2 });
const licences = fc.option(fc.integer({ min: 1, max: 3 }), { freq: 3 });
const wanted = fc.record({
  priority: fc.constantFrom(0, 0, 0, 1),
  submitter: fc.constantFrom('ada', 'bob', 'cyd'),
  cpusMilli: fc.constantFrom(250, 500, 1000, 2000),
  memory: fc.option(fc.constantFrom(gb / 4, gb / 2, gb, 2 * gb, 4 * gb).map(bytes), { freq: 5 }),
  gpus: fc.constantFrom(0, 0, 0, 1, 2),
  needs: fc.tuple(needs, licences).map(([some, many]) => (many === null ? some : [...some, resource('licence', many)])),
  timeoutMs: fc.option(fc.integer({ min: 1, max: 40 }).map(millis)),
  command: fc.constantFrom(null, 'make', 'sort', 'new'),
  notBefore: fc.option(
    fc.integer({ min: 0, max: 50 }).map((later) => millis(now + later)),
    { freq: 4 },
  ),
});
const job = fc.record({ wanted, lasts: fc.integer({ min: 1, max: 40 }), gap: fc.nat(2) });

const jobsOf = (all: readonly { readonly wanted: Partial<Waiting>; readonly lasts: number }[], from = 1): Job[] =>
  all.map(({ wanted: more, lasts }, index) => ({ entry: waiting(from + index, more), lasts }));

test('whatever comes, nothing is ever held beyond what there is, and every run is started and ends', () => {
  fc.assert(
    fc.property(fc.array(job, { minLength: 1, maxLength: 40 }), (all) => {
      const life = new Life(given);
      for (const [index, one] of all.entries()) {
        life.submit(...jobsOf([one], index + 1));
        for (let step = 0; step < one.gap; step += 1) life.step();
      }
      life.run();
      assert.equal(life.ended.size, all.length);
      assert.deepEqual([life.queue.size, life.going.length], [0, 0]);
      assert.deepEqual(life.round?.remembered.heads, []);
    }),
    { numRuns: 200 },
  );
});

test('for whom room is made starts when those that ran then are over, however many small ones keep coming', () => {
  const size = fc.constantFrom(gb / 4, gb / 2, gb);
  const smaller = fc.record({
    wanted: fc.record({
      submitter: fc.constantFrom('ada', 'bob'),
      cpusMilli: fc.constantFrom(250, 500),
      memory: size.map(bytes),
      timeoutMs: fc.option(fc.constant(millis(40))),
    }),
    lasts: fc.integer({ min: 1, max: 40 }),
  });
  fc.assert(
    fc.property(fc.array(smaller, { minLength: 20, maxLength: 60 }), fc.integer({ min: 2, max: 4 }), (all, share) => {
      const life = new Life({ budget });
      life.submit(...jobsOf(all.slice(0, 10)));
      life.submit({ entry: waiting(100, { memory: bytes(share * gb), cpusMilli: 2000, submitter: 'cyd' }), lasts: 5 });
      let bound = Infinity;
      let next = 10;
      for (let steps = 0; !life.started.has(100) && steps < 500; steps += 1) {
        const isHead = life.round?.remembered.heads.some(({ run, since }) => run === 100 && since.has('room')) ?? false;
        if (isHead && bound === Infinity) bound = life.now + 40;
        assert.ok(life.now <= bound, `it is ${life.now}, and room should have been there by ${bound}`);
        // More come all the time.
        life.submit(
          ...jobsOf(
            Array.from({ length: 3 }, (_, more) => all[(next + more) % all.length] as (typeof all)[0]),
            1000 + next * 10,
          ),
        );
        next += 3;
        life.step();
      }
      assert.ok(life.started.has(100));
    }),
    { numRuns: 100 },
  );
});

/** A moment in the middle of things: some run, some wait. */
const moment = fc.tuple(fc.array(job, { minLength: 2, maxLength: 30 }), fc.nat(8)).map(([all, steps]) => {
  const life = new Life(given);
  life.submit(...jobsOf(all));
  for (let step = 0; step < steps; step += 1) life.step();
  return life;
});

test('a decision is the same in whatever order things are told', () => {
  fc.assert(
    fc.property(fc.array(job, { minLength: 2, maxLength: 30 }), fc.nat(), (all, seed) => {
      const jobs = jobsOf(all);
      const life = new Life(given);
      life.submit(...jobs.slice(0, all.length / 2));
      const rest = [...life.queue, ...jobs.slice(all.length / 2).map(({ entry }) => entry)];
      const mixed = (list: readonly Waiting[]): Waiting[] =>
        list.toSorted((a, b) => ((a.run * 7919 + seed) % 31) - ((b.run * 7919 + seed) % 31));
      const { state, round } = life;
      const before = round?.remembered ?? nothingRemembered;
      const one = admit(queueOf(rest, given), state, before, now);
      const turned: AdmissionState = {
        ...state,
        holding: state.holding.toReversed(),
        amounts: new Map([...state.amounts].toReversed()),
        machine: { ...state.machine, gpus: state.machine.gpus.toReversed() },
      };
      const passes = { ...before.passes, of: new Map([...before.passes.of].toReversed()) };
      const other = admit(queueOf(mixed(rest), given), turned, { ...before, passes }, now);
      assert.deepEqual(other.admitted, one.admitted);
      assert.deepEqual(
        other.remembered.heads.map(({ run }) => run),
        one.remembered.heads.map(({ run }) => run),
      );
      assert.deepEqual(
        [...other.remembered.passes.of].toSorted(byName),
        [...one.remembered.passes.of].toSorted(byName),
      );
    }),
  );
});

const byName = ([a]: readonly [string, number], [b]: readonly [string, number]): number => (a < b ? -1 : 1);

test('a reason is true: who is said to lack something starts when that is there, and not before', () => {
  fc.assert(
    fc.property(moment, (life) => {
      const { state, queue, round } = life;
      assert.ok(round !== null);
      for (const { lines } of queue.levels()) {
        for (const entry of [...lines.values()].flatMap((line) => [...line.runs])) {
          const facts = factsOf(queue, round, entry, millis(life.now), millis(life.now));
          const alone = (then: AdmissionState): number[] =>
            runs(
              admit(queueOf([{ ...entry, notBefore: null }], given), then, nothingRemembered, millis(life.now))
                .admitted,
            );
          assert.ok(facts.length > 0, 'whom nothing keeps was started');
          const short = facts.filter(({ kind }) => kind !== 'behind' && kind !== 'delays');
          if (facts.some(({ kind }) => kind === 'delays')) assert.deepEqual(alone(state), [entry.run], 'it would fit');
          else assert.deepEqual(alone(state), [], 'it lacks something');
          assert.deepEqual(alone(short.reduce(withThat, state)), [entry.run], 'with that it starts');
        }
      }
    }),
    { numRuns: 100 },
  );
});

/** The state with what a fact says is short. */
const withThat = (state: AdmissionState, fact: Fact): AdmissionState => {
  const without = (of: string): AdmissionState['holding'] =>
    state.holding.map((one) => ({ ...one, needs: one.needs.filter((need) => need.of !== of) }));
  switch (fact.kind) {
    case 'cpus':
      return { ...state, budget: { ...state.budget, cpusMilli: state.budget.cpusMilli + fact.needs - fact.free } };
    case 'memory':
      // A larger budget would make larger shares of it.
      return { ...state, holding: state.holding.map((one) => ({ ...one, memory: bytes(0) })) };
    case 'gpus': {
      const more = Array.from({ length: fact.needs - fact.free }, (_, index) => gpu(10 + index));
      return { ...state, machine: { ...state.machine, gpus: [...state.machine.gpus, ...more] } };
    }
    case 'lock':
    case 'group':
      return { ...state, holding: without(`${fact.kind}:${fact.name}`) };
    case 'resource':
      return {
        ...state,
        amounts: new Map([...state.amounts, [`resource:${fact.name}`, fact.of + fact.needs - fact.free]]),
      };
    case 'slot':
      return { ...state, amounts: new Map([...state.amounts, [`slot:${fact.placement}`, fact.of + 1]]) };
    default:
      return assert.fail(`nothing here is kept by ${fact.kind}`);
  }
};

test('a decision changes neither the queue nor what was remembered', () => {
  fc.assert(
    fc.property(moment, ({ queue, state, round }) => {
      const before = round?.remembered ?? nothingRemembered;
      const first = admit(queue, { ...state, holding: [] }, before, now);
      const again = admit(queue, { ...state, holding: [] }, before, now);
      assert.deepEqual(again.admitted, first.admitted);
      assert.deepEqual(stateOf(given).amounts, state.amounts);
    }),
  );
});
