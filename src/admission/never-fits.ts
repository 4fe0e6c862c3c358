import type { Bytes } from '../units/brands.ts';
import type { Budget } from './types.ts';

/** Which part of the budget a request can never fit into; null when it can. */
export const neverFits = (
  request: { cpusMilli: number; memory: Bytes | null },
  budget: Budget,
): 'cpus' | 'memory' | null => {
  if (request.cpusMilli > budget.cpusMilli) return 'cpus';
  if (request.memory !== null && request.memory > budget.memory) return 'memory';
  return null;
};
