import { bytes, type Bytes } from '../units/brands.ts';
import type { Budget } from './types.ts';

const leastWithoutRequest = 1024 ** 3;

/**
 * What a run counts for: its request's minimum, else an even share of the budget for each of the machine's cores, at least 1 GB and
 * never more than the budget. A share of the *budget*, so that a machine runs as many plain commands at once as it has cores.
 */
export const countedMemory = (request: Bytes | null, budget: Budget): Bytes =>
  request ?? bytes(Math.min(budget.memory, Math.max(leastWithoutRequest, Math.floor(budget.memory / budget.cores))));
