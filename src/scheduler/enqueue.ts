import type { Waiting } from '../admission/types.ts';
import { grantOf, noRaise, type MemoryRange } from '../runs/request.ts';
import type { Run } from '../store/run.ts';
import { bytesOfMib, mibOfBytes, type Bytes } from '../units/brands.ts';
import type { Scheduler } from './scheduler.ts';

/** Puts a stored run that is queued into the queue. */
export const enqueue = (scheduler: Scheduler, row: Queued): void => {
  scheduler.queue.add(waiting(row));
};

type Queued = Pick<
  Run,
  | 'id'
  | 'parent_run'
  | 'priority'
  | 'cpus_milli'
  | 'memory_min_bytes'
  | 'memory_max_bytes'
  | 'raised_bytes'
  | 'not_before'
  | 'paused'
>;

const waiting = (row: Queued): Waiting => ({
  run: row.id,
  priority: row.priority,
  cpusMilli: row.cpus_milli,
  memory: grantOfRun(row),
  inside: row.parent_run,
  notBefore: row.not_before,
  paused: row.paused,
});

/** What admission gives the next start of a run: its request's minimum, raised; null without a request. */
export const grantOfRun = (row: Pick<Run, 'memory_min_bytes' | 'memory_max_bytes' | 'raised_bytes'>): Bytes | null => {
  const grant = grantOf(memoryRange(row), row.raised_bytes === null ? noRaise : mibOfBytes(row.raised_bytes));
  return grant === null ? null : bytesOfMib(grant);
};

/** A run's request in MiB, rounded up; null without one. */
export const memoryRange = (row: Pick<Run, 'memory_min_bytes' | 'memory_max_bytes'>): MemoryRange | null =>
  row.memory_min_bytes === null
    ? null
    : { min: mibOfBytes(row.memory_min_bytes), max: mibOfBytes(row.memory_max_bytes ?? row.memory_min_bytes) };
