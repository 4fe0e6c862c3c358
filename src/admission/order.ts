import type { Waiting } from './types.ts';

/** Below 0 when `a` goes before `b`: higher priority first, then the older run. */
export const order = (a: Waiting, b: Waiting): number => b.priority - a.priority || a.run - b.run;
