import type { Waiting } from '../admission/types.ts';
import { grantOf, noRaise, type MemoryRange } from '../runs/request.ts';
import type { Run } from '../store/run.ts';
import { bytesOfMib, mibOfBytes, type Bytes } from '../units/brands.ts';
import { lowered, placementCap, type Placed } from './control.ts';
import type { Scheduler } from './scheduler.ts';

/** Puts a stored run that is queued into the queue. */
export const enqueue = (scheduler: Scheduler, row: Queued): void => {
  scheduler.queue.add(waiting(scheduler, row));
};

type Queued = Pick<
  Run,
  | 'id'
  | 'parent_run'
  | 'placement'
  | 'priority'
  | 'cpus_milli'
  | 'memory_min_bytes'
  | 'memory_max_bytes'
  | 'raised_bytes'
  | 'not_before'
  | 'paused'
>;

const waiting = (scheduler: Scheduler, row: Queued): Waiting => ({
  run: row.id,
  priority: row.priority,
  cpusMilli: row.cpus_milli,
  memory: grantOfRun(scheduler, row),
  inside: row.parent_run,
  notBefore: row.not_before,
  paused: row.paused,
});

/** What admission gives the next start of a run: its request's minimum, raised, under its placement's cap; null without a request. */
export const grantOfRun = (
  scheduler: Pick<Scheduler, 'settings'>,
  row: Placed & Pick<Run, 'memory_min_bytes' | 'memory_max_bytes' | 'raised_bytes'>,
): Bytes | null => {
  const grant = grantOf(memoryRange(row), row.raised_bytes === null ? noRaise : mibOfBytes(row.raised_bytes));
  return grant === null ? null : lowered(bytesOfMib(grant), placementCap(scheduler, row));
};

/** A run's request in MiB, rounded up; null without one. */
export const memoryRange = (row: Pick<Run, 'memory_min_bytes' | 'memory_max_bytes'>): MemoryRange | null =>
  row.memory_min_bytes === null
    ? null
    : { min: mibOfBytes(row.memory_min_bytes), max: mibOfBytes(row.memory_max_bytes ?? row.memory_min_bytes) };
