import assert from 'node:assert/strict';
import { test } from 'node:test';
import { admit, nothingRemembered } from '../../../src/admission/admit.ts';
import type { Budget } from '../../../src/admission/types.ts';
import { bytes, millis } from '../../../src/units/brands.ts';
import {
  factsFor,
  gb,
  gpu,
  group,
  holding,
  lock,
  now,
  queueOf,
  reasonFor,
  resource,
  slot,
  stateOf,
  waiting as plain,
} from './builders.ts';

const budget: Budget = { cpusMilli: 2000, memory: bytes(20 * gb), cores: 2, reserve: bytes(2 * gb) };
const waiting = (run: number, more: Parameters<typeof plain>[1] = {}) => plain(run, { memory: bytes(gb), ...more });
const full = holding(7, gb, 2000);

test('who is short of memory hears how much, how much is free, and who holds it', () => {
  assert.equal(
    reasonFor(9, [waiting(9, { memory: bytes(16 * gb) })], {
      budget,
      holding: [holding(7, 12 * gb, 500), holding(8, 3 * gb, 500)],
    }),
    'needs 16 GB of memory; 5120 MB of 20 GB free; held by runs 7, 8',
  );
});

test('where the figure comes from is said when it is not the request', () => {
  const given = { budget, holding: [holding(7, 15 * gb, 500)] };
  assert.equal(
    reasonFor(9, [plain(9)], given),
    'needs 10 GB of memory (its share: it has no --memory); 5120 MB of 20 GB free; held by run 7',
  );
  const make = { memory: bytes(8 * gb), typicalMs: millis(1), longestMs: millis(1) };
  assert.equal(
    reasonFor(9, [plain(9, { command: 'make' })], { ...given, learned: { make } }),
    'needs 8192 MB of memory (what it needed before); 5120 MB of 20 GB free; held by run 7',
  );
});

test('whose record is damaged is never started, hides nobody, and hears what of it, how to end it, and nothing else', () => {
  const paused = { by: 'ada', reason: null, at: now };
  for (const more of [{}, { paused }, { after: ['run 3'] }, { inside: 7 }, { notBefore: millis(now + 5) }]) {
    const queue = queueOf([
      waiting(8, { damage: 'needs is not JSON', priority: 9, memory: bytes(19 * gb), ...more }),
      waiting(9),
    ]);
    const round = admit(queue, stateOf({ budget }), nothingRemembered, now);
    assert.deepEqual(
      round.admitted.map(({ run }) => run),
      [9],
    );
    assert.deepEqual(queue.damaged, [8]);
    assert.equal(
      reasonFor(8, [waiting(8, { damage: 'needs is not JSON', ...more })], { budget }),
      'is not started: its record in the store is damaged (needs is not JSON), so that nobody knows what it was to be; `orca kill 8` ends it',
    );
    queue.remove(waiting(8).run);
    assert.deepEqual([queue.damaged, queue.size], [[], 1]);
  }
});

test('who is short of cores hears so', () => {
  assert.equal(
    reasonFor(9, [waiting(9)], { budget, holding: [full] }),
    'needs 1 core; 0 cores of 2 cores free; held by run 7',
  );
});

test('who is short of two things hears of both', () => {
  assert.equal(
    reasonFor(9, [waiting(9, { memory: bytes(20 * gb) })], { budget, holding: [full] }),
    'needs 1 core; 0 cores of 2 cores free; held by run 7; also needs 20 GB of memory; 19 GB of 20 GB free',
  );
});

test('who is not at the head hears its place, who is, and what it lacks', () => {
  const queue = [
    waiting(1, { memory: bytes(19 * gb) }),
    waiting(2, { memory: bytes(19 * gb) }),
    waiting(3, { memory: bytes(19 * gb) }),
  ];
  assert.equal(
    reasonFor(3, queue, { budget, holding: [holding(7, 2 * gb)] }),
    'is number 3 of 3 in the queue, behind run 1; needs 19 GB of memory; 18 GB of 20 GB free',
  );
});

test('who would fit but delay the head hears that, and which that is', () => {
  const queue = [waiting(1, { memory: bytes(19 * gb) }), waiting(2, { memory: bytes(2 * gb) })];
  assert.equal(
    reasonFor(2, queue, { budget, holding: [holding(7, 2 * gb)] }),
    'would fit, but could keep run 1 waiting for longer; is number 2 of 2 in the queue',
  );
});

test('a long queue is told in readable numbers', () => {
  const queue = Array.from({ length: 2001 }, (_, index) => waiting(index + 10));
  assert.match(
    reasonFor(2009, queue, { budget, holding: [full] }) ?? '',
    /^is number 2,000 of 2,001 in the queue, behind run 10;/,
  );
});

test('who waits for a lock hears who has it, however long the queue is', () => {
  const needs = [lock('db')];
  const queue = [waiting(1, { cpusMilli: 2000 }), waiting(2, { needs, cpusMilli: 100 })];
  assert.equal(
    reasonFor(2, queue, { budget, holding: [holding(7, gb, 1000, { needs })] }),
    'needs the lock db; held by run 7',
  );
});

test('what is for a machine that is not here is short of nothing of this one', () => {
  const slurm = waiting(9, { needs: [slot('slurm')], memory: bytes(3 * gb) });
  const words = reasonFor(9, [slurm], { budget, holding: [full, holding(8, 18 * gb, 0)] });
  assert.equal(words, 'waits for the runner slurm: this orca has none');
});

test('who waits for a resource, a slot, a group’s turn or a placement hears which', () => {
  const given = { budget, amounts: { 'resource:licence': 2, 'slot:control': 1 } };
  const one = (need: ReturnType<typeof lock>, held: ReturnType<typeof lock>) =>
    reasonFor(9, [waiting(9, { needs: [need] })], { ...given, holding: [holding(7, gb, 100, { needs: [held] })] });
  assert.equal(one(resource('licence', 2), resource('licence', 1)), 'needs 2 of licence; 1 of 2 free; held by run 7');
  assert.equal(one(group(4, 1), group(4, 1)), 'at most 1 of group 4 may run at once; held by run 7');
  assert.equal(
    one(slot('control'), slot('control')),
    '1 run is on control, and 1 may be (ORCA_CONTROL_MAX_RUNS); waits for one to end; held by run 7',
  );
  assert.equal(one(slot('slurm'), lock('a')), 'waits for the runner slurm: this orca has none');
  assert.equal(one(slot('worker:big'), lock('a')), 'waits for a worker of the pool big: this orca has no workers');
});

test('control says when the host is too full for another run', () => {
  const minute = { endedAt: now, memory: 91, disk: null };
  assert.equal(
    reasonFor(9, [waiting(9, { needs: [slot('control')] })], {
      budget,
      amounts: { 'slot:control': 1 },
      machine: { minute },
    }),
    '91 % of the memory was in use in the newest minute; nothing starts on control while that is over 85 %',
  );
});

test('who waits for devices hears which are free, and which process of whom is on the others', () => {
  const machine = { gpus: [gpu(0), gpu(1, { pid: 811, user: 'eve', name: 'python' })] };
  assert.equal(
    reasonFor(9, [waiting(9, { gpus: 1 })], { budget, machine, holding: [holding(7, gb, 100, { gpus: ['GPU-0'] })] }),
    'needs 1 GPU; 0 of 2 free; GPU 1 is used by python (process 811 of eve); held by run 7',
  );
  assert.equal(
    reasonFor(9, [waiting(9, { gpus: 1 })], {
      budget,
      machine: { gpus: [], gpusUnknown: 'nvidia-smi has not answered yet' },
    }),
    'needs a GPU: nvidia-smi has not answered yet',
  );
});

test('what another user’s daemon has promised is told with the user', () => {
  assert.equal(
    reasonFor(9, [waiting(9, { memory: bytes(16 * gb) })], {
      budget,
      machine: { others: [{ user: 'eve', bytes: bytes(6 * gb) }] },
    }),
    'needs 16 GB of memory; 14 GB free beside the runs of eve (6144 MB)',
  );
});

test('a machine that is short of memory itself is told with the largest program', () => {
  const largestForeign = { pid: 12, user: 'eve', name: 'postgres', residentBytes: bytes(9 * gb) };
  assert.equal(
    reasonFor(9, [waiting(9, { memory: bytes(16 * gb) })], {
      budget,
      machine: { availableBytes: bytes(8 * gb), largestForeign },
    }),
    'needs 16 GB of memory, and the machine has 10 GB to give; the largest program besides runs is postgres (process 12 of eve) with 9216 MB',
  );
});

test('pressure is told with its figure and its bound', () => {
  const given = { budget, holding: [holding(7, gb, 100)] };
  assert.equal(
    reasonFor(9, [waiting(9)], { ...given, machine: { memoryPressure: 35.4, ownPressure: 5 } }),
    'memory is under pressure: programs wait for it 30 % of the time, and nothing more is started over 20 %',
  );
  assert.match(
    reasonFor(9, [waiting(9)], { ...given, machine: { ioPressure: 80 } }) ?? '',
    /^the disks are under pressure/,
  );
});

test('a run in its back-off says how long, and nobody is behind it', () => {
  const queue = [waiting(1, { notBefore: millis(now + 3500) }), waiting(2)];
  assert.equal(reasonFor(1, queue, { budget }), 'its next start is due in 4 s');
  assert.equal(reasonFor(2, queue, { budget }), null);
});

test('a run that a person holds back, and a whole queue that is, says who does, since when and why', () => {
  const paused = { by: 'ada', reason: 'the backup runs', at: millis(now - 125_000) };
  const said = 'paused by ada for 2m 5s: the backup runs';
  assert.equal(
    reasonFor(1, [waiting(1, { paused, notBefore: millis(now + 1) })], { budget }),
    `is ${said}; \`orca resume 1\` lets it start`,
  );
  assert.equal(reasonFor(1, [waiting(1)], { budget, paused }), `the queue is ${said}; \`orca resume\` lets it go on`);
});

test('a run that comes after others says which; after `down` that is said', () => {
  const after = ['run 3', 'run 4', 'group g5', 'run 6'];
  assert.equal(reasonFor(9, [waiting(9, { after })], { budget }), 'comes after run 3, run 4, group g5 and 1 more');
  assert.equal(reasonFor(9, [waiting(9)], { budget, down: true }), 'orca is down: `orca up` lets it start runs again');
});

test('a run that can never fit says what it asks for and what there is, and nobody is behind it', () => {
  const never = waiting(1, { memory: bytes(21 * gb) });
  assert.equal(reasonFor(2, [never, waiting(2)], { budget }), null);
  assert.equal(
    reasonFor(1, [never], { budget }),
    'can never start here: it needs 21 GB of memory, and runs may have 20 GB',
  );
  assert.match(
    reasonFor(1, [waiting(1, { cpusMilli: 3000 })], { budget }) ?? '',
    /it needs 3 cores, and there are 2 cores$/,
  );
  assert.match(
    reasonFor(1, [waiting(1, { gpus: 2 })], { budget, machine: { gpus: [gpu(0)] } }) ?? '',
    /it needs 2 GPUs, and there is 1 GPU$/,
  );
  assert.match(
    reasonFor(1, [waiting(1, { needs: [resource('licence', 1)] })], { budget }) ?? '',
    /it needs licence, and there is none \(`\[resources\]` in config.toml\)$/,
  );
});

test('many holders are named by the largest three', () => {
  const held = [1, 2, 3, 4, 5].map((run) => holding(run, run * gb, 100));
  const [fact] = factsFor(9, [waiting(9, { memory: bytes(10 * gb) })], { budget, holding: held });
  assert.deepEqual(fact !== undefined && 'holders' in fact ? fact.holders : [], [5, 4, 3, 2, 1]);
  assert.match(
    reasonFor(9, [waiting(9, { memory: bytes(10 * gb) })], { budget, holding: held }) ?? '',
    /held by runs 5, 4, 3 and 2 more$/,
  );
});

test('nobody’s name moves a terminal’s cursor', () => {
  const needs = [lock('\u001b[2Jdb')];
  const said = reasonFor(9, [waiting(9, { needs })], { budget, holding: [holding(7, gb, 100, { needs })] }) ?? '';
  assert.ok(said.includes('[2Jdb') && !said.includes('\u001b'));
});

test('a run inside another that only its back-off keeps has no other reason', () => {
  assert.equal(
    reasonFor(5, [waiting(5, { inside: 1, notBefore: millis(now + 900) })], { budget, holding: [full] }),
    'its next start is due in 1 s',
  );
});
