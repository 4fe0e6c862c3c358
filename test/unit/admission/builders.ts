import { admit, nothingRemembered } from '../../../src/admission/admit.ts';
import { factsOf, type Fact } from '../../../src/admission/facts.ts';
import { unknownMachine, type GpuDevice, type MachineState } from '../../../src/admission/machine-state.ts';
import { Queue } from '../../../src/admission/queue.ts';
import { reasonWords } from '../../../src/admission/reason-words.ts';
import type { Remembered, Round } from '../../../src/admission/round.ts';
import { shapeOf, type Need, type Shape } from '../../../src/admission/shape.ts';
import type { AdmissionState, Budget, Holding, Waiting } from '../../../src/admission/types.ts';
import type { Learned } from '../../../src/runs/learning.ts';
import { bytes, millis, runId } from '../../../src/units/brands.ts';

export const gb = 1024 ** 3;
export const now = millis(1_000_000);

export const budget: Budget = { cpusMilli: 2000, memory: bytes(4 * gb), cores: 2, reserve: bytes(gb) };

type Wanted = Partial<Omit<Waiting, 'run' | 'shape' | 'inside'>> &
  Partial<Omit<Shape, 'key'>> & { readonly inside?: number | null };

/** A run that waits: one core, no request, unless told otherwise. */
export const waiting = (run: number, more: Wanted = {}): Waiting => ({
  run: runId(run),
  priority: more.priority ?? 0,
  submitter: more.submitter ?? '',
  shape: shapeOf({
    cpusMilli: more.cpusMilli ?? 1000,
    memory: more.memory ?? null,
    ...(more.most === undefined ? {} : { most: more.most }),
    gpus: more.gpus ?? 0,
    needs: more.needs ?? [],
    timeoutMs: more.timeoutMs ?? null,
    command: null,
  }),
  command: more.command ?? null,
  inside: more.inside == null ? null : runId(more.inside),
  notBefore: more.notBefore ?? null,
  paused: more.paused ?? null,
  after: more.after ?? null,
  damage: more.damage ?? null,
});

export const lock = (name: string): Need => ({ of: `lock:${name}`, amount: 1, there: 1 });
export const resource = (name: string, amount: number): Need => ({ of: `resource:${name}`, amount, there: null });
export const slot = (placement: string): Need => ({ of: `slot:${placement}`, amount: 1, there: null });
export const group = (number: number, most: number): Need => ({ of: `group:${number}`, amount: 1, there: most });

export const holding = (
  run: number,
  memory: number,
  cpusMilli = 1000,
  more: Partial<Omit<Holding, 'run' | 'cpusMilli'>> = {},
): Holding => ({
  run: runId(run),
  submitter: '',
  cpusMilli,
  memory: bytes(memory),
  expected: bytes(memory),
  residentBytes: null,
  gpus: [],
  needs: [],
  turn: 0,
  endsAt: null,
  endsBy: null,
  ...more,
});

export const gpu = (index: number, ...foreign: GpuDevice['foreign']): GpuDevice => ({
  id: `GPU-${index}`,
  index,
  uuid: `GPU-${index}`,
  foreign,
});

export interface Given {
  readonly budget?: Budget;
  readonly machine?: Partial<MachineState>;
  readonly amounts?: Readonly<Record<string, number>>;
  readonly pressure?: AdmissionState['pressure'];
  readonly holding?: readonly Holding[];
  readonly learned?: Readonly<Record<string, Learned>>;
  readonly paused?: AdmissionState['paused'];
  readonly down?: boolean;
}

export const stateOf = (given: Given = {}): AdmissionState => ({
  budget: given.budget ?? budget,
  machine: { ...unknownMachine, ...given.machine },
  amounts: new Map(Object.entries(given.amounts ?? {})),
  pressure: given.pressure ?? { memory: 20, io: 60 },
  holding: given.holding ?? [],
  learned: (command) => given.learned?.[command] ?? null,
  paused: given.paused ?? null,
  down: given.down ?? false,
});

export const queueOf = (entries: Iterable<Waiting>, given: Given = {}): Queue => {
  const queue = new Queue((command) => given.learned?.[command] !== undefined);
  for (const entry of entries) queue.add(entry);
  queue.wake(now);
  return queue;
};

export const decide = (entries: Iterable<Waiting>, given: Given = {}, before: Remembered = nothingRemembered): Round =>
  admit(queueOf(entries, given), stateOf(given), before, now);

export const runs = (some: Iterable<{ readonly run: number }>): number[] => [...some].map(({ run }) => run);
export const admittedRuns = (...args: Parameters<typeof decide>): number[] => runs(decide(...args).admitted);

/** What a decision says of a run that it did not start. */
export const factsFor = (run: number, entries: readonly Waiting[], given: Given = {}): Fact[] => {
  const queue = queueOf(entries, given);
  const round = admit(queue, stateOf(given), nothingRemembered, now);
  for (const one of round.admitted) queue.remove(one.run);
  const entry = queue.get(runId(run));
  return entry === null ? [] : factsOf(queue, round, entry, now, now);
};

export const reasonFor = (...args: Parameters<typeof factsFor>): string | null => reasonWords(factsFor(...args));
