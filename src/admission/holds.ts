import type { Dimension } from './dimension.ts';
import type { Holding } from './types.ts';

/** How much a run holds in each dimension. Of the machine's memory: what it uses, or is still thought to come to use. */
export const holds = (holding: Holding): (readonly [Dimension, number])[] => [
  ['cpus', holding.cpusMilli],
  ['memory', holding.memory],
  ['machine', Math.max(holding.expected, holding.residentBytes ?? 0)],
  ...(holding.gpus.length > 0 ? [['gpus', holding.gpus.length] as const] : []),
  ...holding.needs.map(({ of, amount }) => [of, amount] as const),
];
