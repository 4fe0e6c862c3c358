import type { Waiting } from './types.ts';

/** Below 0 when `a` goes before `b`: runs inside others first, since they need no room; then higher priority, then the older run. */
export const order = (a: Waiting, b: Waiting): number =>
  Number(b.inside !== null) - Number(a.inside !== null) || b.priority - a.priority || a.run - b.run;
