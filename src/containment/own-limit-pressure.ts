import { atLimit } from './at-limit.ts';

export interface RunPressure {
  readonly currentBytes: number | null;
  /** Null for none: it is never at it. */
  readonly limitBytes: number | null;
  readonly someAvg10: number | null;
}

/**
 * The most `some avg10` of the runs at their own limit, 0 for none: the stall that limits cause. The machine's pressure
 * counts it too, though the machine may have memory to spare (seed 000: own_limit_pressure).
 */
export const ownLimitPressure = (runs: Iterable<RunPressure>): number => {
  let most = 0;
  for (const { currentBytes, limitBytes, someAvg10 } of runs)
    if (limitBytes !== null && atLimit(currentBytes, limitBytes)) most = Math.max(most, someAvg10 ?? 0);
  return most;
};
