import { bytes, millis, type Millis } from '../units/brands.ts';
import { countedMemory } from './counted-memory.ts';
import { freeOf } from './free.ts';
import { neverFits } from './never-fits.ts';
import type { Admitted, Budget, Decision, Holding, Waiting } from './types.ts';

/**
 * Which of `waiting` (in order) start now. The first that is due and does not fit keeps those behind it waiting: what is free is being
 * saved up for it. A run inside another needs nothing that its parent does not hold already. A run in its back-off holds nobody up, nor does one that a person holds back, or that can never start (the budget became smaller).
 */
export const admit = (
  budget: Budget,
  holding: Iterable<Holding>,
  waiting: Iterable<Waiting>,
  now: Millis,
): Decision => {
  const free = freeOf(budget, holding);
  const admitted: Admitted[] = [];
  let wakeAt: number | null = null;
  for (const next of waiting) {
    if (next.paused !== null) continue;
    if (next.notBefore !== null && next.notBefore > now) {
      wakeAt = Math.min(wakeAt ?? next.notBefore, next.notBefore);
      continue;
    }
    if (next.inside !== null) {
      admitted.push({ run: next.run, grant: next.memory, counted: bytes(0) });
      continue;
    }
    if (neverFits(next, budget) !== null) continue;
    const counted = countedMemory(next.memory, budget);
    if (next.cpusMilli > free.cpusMilli || counted > free.memory) break;
    free.cpusMilli -= next.cpusMilli;
    free.memory -= counted;
    admitted.push({ run: next.run, grant: next.memory, counted });
  }
  return { admitted, wakeAt: wakeAt === null ? null : millis(wakeAt) };
};
