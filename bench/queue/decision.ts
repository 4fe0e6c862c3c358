/**
 * What a decision of the queue costs, without anything around it: 1,000, 10,000 and 100,000 waiting runs, all alike, of many shapes, of
 * many submitters, and each of a learned command of its own. `full`: nothing fits, so everything that may be looked at is; `one starts`:
 * room for one came free, and the run is taken out of the queue. Memory is what the queue itself takes.
 */
import { admit, nothingRemembered } from '../../src/admission/admit.ts';
import { estimates } from '../../src/admission/estimate.ts';
import { unknownMachine } from '../../src/admission/machine-state.ts';
import { placeOf } from '../../src/admission/place.ts';
import { Queue } from '../../src/admission/queue.ts';
import { shapeOf } from '../../src/admission/shape.ts';
import type { AdmissionState, Holding, Waiting } from '../../src/admission/types.ts';
import { bytes, millis, runId } from '../../src/units/brands.ts';
import { printTable, quantile } from '../support/orca.ts';

const gb = 1024 ** 3;
const now = millis(1_000_000);
const rounds = 200;

interface Kind {
  readonly name: string;
  readonly of: (run: number) => Partial<Waiting> & { readonly memory?: number; readonly cpusMilli?: number };
}

const kinds: readonly Kind[] = [
  { name: 'all alike', of: () => ({}) },
  { name: '500 shapes', of: (run) => ({ memory: (1 + (run % 500) / 500) * gb }) },
  { name: '1,000 submitters', of: (run) => ({ submitter: `user ${run % 1000}` }) },
  { name: 'a command each', of: (run) => ({ command: `command ${run}` }) },
];

const entry = (run: number, { memory, cpusMilli = 1000, ...more }: ReturnType<Kind['of']>): Waiting => ({
  run: runId(run),
  priority: 0,
  submitter: 'ada',
  shape: shapeOf({
    cpusMilli,
    memory: memory === undefined ? null : bytes(Math.floor(memory)),
    gpus: 0,
    needs: [],
    timeoutMs: null,
    command: null,
  }),
  command: null,
  inside: null,
  notBefore: null,
  paused: null,
  after: null,
  damage: null,
  ...more,
});

const holding = (run: number): Holding => ({
  run: runId(run),
  submitter: 'ada',
  cpusMilli: 1000,
  memory: bytes(2 * gb),
  expected: bytes(gb),
  residentBytes: bytes(gb),
  gpus: [],
  needs: [],
  turn: 0,
  endsAt: null,
  endsBy: null,
});

const cores = 16;
const stateOf = (going: number): AdmissionState => ({
  budget: { cpusMilli: cores * 1000, memory: bytes(64 * gb), cores, reserve: bytes(4 * gb) },
  machine: { ...unknownMachine, availableBytes: bytes(48 * gb) },
  amounts: new Map(),
  pressure: { memory: 20, io: 60 },
  holding: Array.from({ length: going }, (_, index) => holding(1_000_001 + index)),
  learned: (command) =>
    command === '' ? null : { memory: bytes(gb), typicalMs: millis(1000), longestMs: millis(2000) },
  paused: null,
  down: false,
});

const timed = (count: number, step: () => void): number[] => {
  const took: number[] = [];
  for (let round = 0; round < count; round += 1) {
    const from = process.hrtime.bigint();
    step();
    took.push(Number(process.hrtime.bigint() - from) / 1e6);
  }
  return took;
};

const used = (): number => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
};

const measure = (kind: Kind, count: number): string[] => {
  const before = used();
  const queue = new Queue(() => true);
  const filled = timed(1, () => {
    for (let run = 1; run <= count; run += 1) queue.add(entry(run, kind.of(run)));
  });
  const size = used() - before;
  const full = stateOf(cores);
  const { remembered } = admit(queue, full, nothingRemembered, now);
  const nothing = timed(rounds, () => void admit(queue, full, remembered, now));
  const oneFree = stateOf(cores - 1);
  const one = timed(rounds, () => {
    const round = admit(queue, oneFree, remembered, now);
    for (const { run } of round.admitted) queue.remove(run);
  });
  const round = admit(queue, full, remembered, now);
  const last = [...queue].at(-1);
  const place = timed(rounds, () => void (last !== undefined && placeOf(queue, round, last)));
  const ending = {
    ...full,
    holding: full.holding.map((held, index) => ({ ...held, endsAt: millis(now + 1000 + index) })),
  };
  const estimate = timed(3, () => void estimates(queue, ending, remembered, now));
  const ms = (values: readonly number[], q: number): string => quantile(values, q).toFixed(3);
  return [
    String(count),
    kind.name,
    ms(nothing, 0.5),
    ms(nothing, 0.99),
    ms(one, 0.5),
    ms(one, 0.99),
    ms(place, 0.5),
    ms(estimate, 0.5),
    (((filled[0] ?? 0) * 1000) / count).toFixed(1),
    (size / 1048576).toFixed(1),
  ];
};

const head = ['queued', 'of', 'full p50', 'p99', 'one starts p50', 'p99', 'place', 'all estimates', 'add, µs', 'MB'];
printTable([head, ...[1000, 10_000, 100_000].flatMap((count) => kinds.map((kind) => measure(kind, count)))]);
