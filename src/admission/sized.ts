import type { Millis } from '../units/brands.ts';
import { millis } from '../units/brands.ts';
import { atMost, countedMemory, type CountedMemory } from './counted-memory.ts';
import { neverFits, type Never } from './never-fits.ts';
import type { Need, Shape } from './shape.ts';
import type { AdmissionState } from './types.ts';

/** What a run of a shape would hold, sized by what is known in this moment. */
export interface Sized {
  readonly shape: Shape;
  readonly memory: CountedMemory;
  /** In every dimension; what has a name, and devices, in the order in which they are gathered. */
  readonly needs: readonly Need[];
  /** After how long it is surely over, as far as anybody can know; null: nobody can. */
  readonly longestMs: Millis | null;
  /** How long it takes as a rule. */
  readonly typicalMs: Millis | null;
  /** What it can never have here. */
  readonly never: Never | null;
}

type Known = Pick<AdmissionState, 'budget' | 'learned' | 'amounts' | 'machine'>;

export const sized = (shape: Shape, state: Known): Sized => {
  const learned = shape.command === null ? null : state.learned(shape.command);
  const memory = atMost(countedMemory(shape.memory, learned?.memory ?? null, state.budget), shape.most ?? null);
  const { cpusMilli, gpus, timeoutMs } = shape;
  const needs: Need[] = [
    { of: 'cpus', amount: cpusMilli, there: null },
    { of: 'memory', amount: memory.counted, there: null },
    { of: 'machine', amount: memory.expected, there: null },
    ...shape.needs,
    ...(gpus > 0 ? [{ of: 'gpus', amount: gpus, there: null } as const] : []),
  ];
  return {
    shape,
    memory,
    needs,
    longestMs: least(learned?.longestMs ?? null, timeoutMs),
    typicalMs: learned === null ? null : least(learned.typicalMs, timeoutMs),
    never: neverFits(shape, state),
  };
};

const least = (a: Millis | null, b: Millis | null): Millis | null =>
  a === null || b === null ? (a ?? b) : millis(Math.min(a, b));
