import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bytes, millis } from '../../../src/units/brands.ts';
import { admittedRuns, budget, gb, gpu, group, lock, now, resource, slot, waiting, type Given } from './builders.ts';
import { Life } from './life.ts';

type Wanted = NonNullable<Parameters<typeof waiting>[1]>;

const given: Given = {
  budget: { cpusMilli: 4000, memory: bytes(4 * gb), cores: 4, reserve: bytes(gb) },
  amounts: { 'resource:licence': 2, 'resource:odd': 3, 'slot:control': 2 },
  machine: { gpus: [gpu(0), gpu(1)] },
};
const small: Wanted = { cpusMilli: 500, memory: bytes(gb / 8) };

/**
 * When a run starts that comes into streams of others which never end: of each stream three wait at any time, of a submitter of their own. Null: not
 * within that time.
 */
const startAmong = (streams: readonly Wanted[], wanted: Wanted, within: number): number | null => {
  const life = new Life(given);
  let next = 2;
  const refill = (): void => {
    for (const [index, stream] of streams.entries()) {
      const submitter = `s${index}`;
      const there = [...life.queue].filter((entry) => entry.submitter === submitter).length;
      for (let more = there; more < 3; more += 1, next += 1)
        life.submit({ entry: waiting(next, { ...small, ...stream, submitter }), lasts: 5 + (next % 4) });
    }
  };
  refill();
  for (let step = 0; step < 5; step += 1) {
    life.step();
    refill();
  }
  const from = life.now;
  life.submit({ entry: waiting(100_000, { ...wanted, submitter: 'z' }), lasts: 5 });
  while (!life.started.has(100_000) && life.now - from <= within) {
    refill();
    life.step();
  }
  const at = life.started.get(100_000);
  return at === undefined ? null : at - from;
};

const scenes: readonly (readonly [string, readonly Wanted[], Wanted])[] = [
  [
    'two locks, each of which others use all the time',
    [lock('a'), lock('b')].map((one) => ({ needs: [one] })),
    { needs: [lock('a'), lock('b')] },
  ],
  [
    'all devices and all cores, where others use some devices and others cores',
    [{ gpus: 1 }, {}],
    { gpus: 2, cpusMilli: 4000 },
  ],
  [
    'all of a resource and all cores',
    [{ needs: [resource('licence', 1)] }, {}],
    { needs: [resource('licence', 2)], cpusMilli: 4000 },
  ],
  [
    'all of two resources',
    [{ needs: [resource('licence', 1)] }, { needs: [resource('odd', 1)] }],
    { needs: [resource('licence', 2), resource('odd', 3)] },
  ],
  [
    'a lock and all of a resource',
    [{ needs: [lock('a')] }, { needs: [resource('licence', 1)] }],
    { needs: [lock('a'), resource('licence', 2)] },
  ],
  [
    'a lock and a slot, where others use both and each alone',
    [
      { needs: [lock('a')] },
      { needs: [slot('control')] },
      { needs: [slot('control')] },
      { needs: [lock('a'), slot('control')] },
    ],
    { needs: [lock('a'), slot('control')] },
  ],
];

for (const [what, streams, wanted] of scenes)
  test(`who needs ${what}, gets them one after the other`, () => {
    const after = startAmong(streams, wanted, 200);
    assert.ok(after !== null && after <= 60, `it began after ${String(after)}`);
  });

test('nobody waits for ever, whatever it needs at once and whatever others take all the time', () => {
  const names = fc.subarray([lock('a'), lock('b'), lock('c'), slot('control'), group(7, 2)], { maxLength: 3 });
  const wanted = fc.record({
    cpusMilli: fc.constantFrom(250, 500, 1000, 4000),
    memory: fc.constantFrom(gb / 8, gb / 2, gb, 4 * gb).map(bytes),
    gpus: fc.constantFrom(0, 0, 1, 2),
    needs: fc
      .tuple(names, fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 3 }))
      .map(([some, licence, odd]) => [
        ...some,
        ...(licence > 0 ? [resource('licence', licence)] : []),
        ...(odd > 0 ? [resource('odd', odd)] : []),
      ]),
    timeoutMs: fc.constantFrom(null, null, millis(9)),
  });
  fc.assert(
    fc.property(fc.array(wanted, { minLength: 1, maxLength: 5 }), wanted, (streams, one) => {
      assert.notEqual(startAmong(streams, one, 2000), null);
    }),
    { numRuns: 150 },
  );
});

test('hundreds of different runs that wait for what is not ours to give keep nobody behind them, whatever that is', () => {
  const foreign = gpu(0, { pid: 7, user: 'eve', name: 'train' });
  const full = { endedAt: now, memory: 99, disk: null };
  const cases: readonly [Wanted, Given][] = [
    [{ needs: [slot('slurm')] }, {}],
    [{ gpus: 1 }, { machine: { gpus: [foreign] } }],
    [{ gpus: 1 }, { machine: { gpusUnknown: 'nvidia-smi has not answered yet' } }],
    [{ needs: [slot('control')] }, { amounts: { 'slot:control': 2 }, machine: { minute: full } }],
    [{ needs: [resource('gone', 1)] }, {}],
    [{ memory: bytes(2 * gb) }, { machine: { availableBytes: bytes(0) }, budget: { ...budget, reserve: bytes(gb) } }],
  ];
  for (const [wanted, there] of cases) {
    const many = Array.from({ length: 400 }, (_, at) => waiting(at + 1, { ...wanted, timeoutMs: millis(at + 1) }));
    const last = waiting(1000, { memory: bytes(gb / 2), priority: -1 });
    assert.deepEqual(admittedRuns([...many, last], there), [1000], JSON.stringify(wanted));
  }
});
