import { maxMib, noRaise, startLimit } from '../runs/request.ts';
import type { StoredRun } from '../store/run.ts';
import { bytesOfMib, mib, mibOfBytes, type Bytes, type Mib } from '../units/brands.ts';
import { placementCap } from './control.ts';
import { memoryRange } from './enqueue.ts';
import type { Scheduler } from './scheduler.ts';

export interface StartSize {
  readonly limit: Mib;
  /** Where it is killed: by the kernel when it has a cgroup, else by the sampled cap; null when neither is there. */
  readonly cap: Bytes | null;
}

/**
 * The limit of a start and where it is killed (design: Memory 1, 2). `contained`: it has a cgroup of its own. `within`: what
 * its parent has, when it is inside another run: never more.
 */
export const sizeOfStart = (
  { settings, budget }: Scheduler,
  run: StoredRun,
  { grant, contained, within }: { grant: Bytes | null; contained: boolean; within: Mib | null },
): StartSize => {
  const request = memoryRange(run);
  const most = placementCap({ settings }, run);
  const own = startLimit({
    grant: grant === null ? null : mibOfBytes(grant),
    requestMax: request?.max ?? null,
    standard: settings.get('ORCA_RUN_MEMORY_MB'),
    room: mibOfBytes(budget.memory),
    raised: run.raised_bytes === null ? noRaise : mibOfBytes(run.raised_bytes),
    cap: most,
  });
  const limit = within === null ? own : mib(Math.min(own, within));
  const withMargin = maxMib(limit, settings.get('ORCA_RUN_MEMORY_MARGIN'));
  // A sampled cap of the placement is one to the byte (seed 002).
  if (most > 0 && !contained) return { limit, cap: bytesOfMib(mib(Math.min(most, withMargin))) };
  const capped = request !== null || contained;
  return { limit, cap: capped ? bytesOfMib(withMargin) : null };
};
