import { bytes, type Bytes } from '../units/brands.ts';
import type { Budget } from './types.ts';

const leastWithoutRequest = 1024 ** 3;

/** Where what a run counts for comes from. */
export type MemorySource = 'request' | 'learned' | 'share';

export interface CountedMemory {
  /** For the budget. */
  readonly counted: Bytes;
  /** What it is thought to come to use: of the machine's memory. */
  readonly expected: Bytes;
  readonly source: MemorySource;
}

/**
 * What a run counts for: its request's minimum, else what was learned of its command, else an even share of the budget for each of the
 * machine's cores, at least 1 GB. Never more than the budget without a request. A share of the *budget*, so that a machine runs as many
 * plain commands at once as it has cores. It is a count: of the machine's memory such a run is thought to come to use 1 GB.
 */
export const countedMemory = (request: Bytes | null, learned: Bytes | null, budget: Budget): CountedMemory => {
  if (request !== null) return { counted: request, expected: request, source: 'request' };
  if (learned !== null) {
    const known = bytes(Math.min(budget.memory, learned));
    return { counted: known, expected: known, source: 'learned' };
  }
  const share = Math.max(leastWithoutRequest, Math.floor(budget.memory / budget.cores));
  return {
    counted: bytes(Math.min(budget.memory, share)),
    expected: bytes(Math.min(budget.memory, leastWithoutRequest)),
    source: 'share',
  };
};

/** The same for a run that its placement lets have no more; null: as much as there is. Its limit keeps it from using more. */
export const atMost = (memory: CountedMemory, most: Bytes | null): CountedMemory =>
  most === null
    ? memory
    : {
        ...memory,
        counted: bytes(Math.min(memory.counted, most)),
        expected: bytes(Math.min(memory.expected, most)),
      };
