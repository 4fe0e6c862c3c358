import type { Budget, Holding } from './types.ts';

/** What is left of the budget. */
export interface Free {
  cpusMilli: number;
  memory: number;
}

export const freeOf = (budget: Budget, holding: Iterable<Holding>): Free => {
  const free: Free = { cpusMilli: budget.cpusMilli, memory: budget.memory };
  for (const held of holding) {
    free.cpusMilli -= held.cpusMilli;
    free.memory -= held.memory;
  }
  return free;
};
