import { nameOf } from '../admission/dimension.ts';
import { shapeOf, type Need, type Shape } from '../admission/shape.ts';
import type { Waiting } from '../admission/types.ts';
import { runnerOf } from '../runs/placement.ts';
import { grantOf, noRaise, type MemoryRange } from '../runs/request.ts';
import type { Run } from '../store/run.ts';
import { bytesOfMib, mibOfBytes, type Bytes, type Millis } from '../units/brands.ts';
import { lowered, mostHere, placementCap, type Placed } from './control.ts';
import { afterNames, waitForOthers } from './dependents.ts';
import type { Scheduler } from './scheduler.ts';
import { steadyEnd } from './steady.ts';

/**
 * Puts a stored run that is queued into the queue. One that has to come after others is aside until those are over. `since`: when its back-off
 * began, where that was in an earlier daemon's time.
 */
export const enqueue = (scheduler: Scheduler, row: Queued, since = scheduler.host.now()): void => {
  const entry = waiting(scheduler, row, since);
  scheduler.queue.add(entry);
  if (entry.shape.needs.some(({ of }) => nameOf(of)?.kind === 'slot')) scheduler.heldStored.set(row.id, row.held);
  if (entry.after !== null) waitForOthers(scheduler, row.id, row.needs.after);
};

export type Queued = Pick<
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
  | 'submitter'
  | 'command'
  | 'timeout_ms'
  | 'needs'
  | 'group_id'
  | 'placement'
  | 'held'
  | 'current_start'
  | 'damage'
>;

const waiting = (scheduler: Scheduler, row: Queued, since: Millis): Waiting => ({
  run: row.id,
  priority: row.priority,
  submitter: submitterOf(row),
  shape: shapeOf({
    cpusMilli: row.cpus_milli,
    memory: grantOfRun(scheduler, row),
    gpus: row.needs.gpus,
    needs: namedNeeds(scheduler, row),
    timeoutMs: row.timeout_ms,
    command: null,
    ...mostOf(scheduler, row),
  }),
  command: row.command,
  inside: row.parent_run,
  notBefore: row.not_before === null ? null : steadyEnd(scheduler.host, row.not_before, since),
  paused: row.paused,
  // What was started once need not come after anything again.
  after: row.needs.after.length === 0 || row.current_start > 0 ? null : afterNames(row.needs.after),
  damage: row.damage,
});

/** Who said nothing shares with all others who did not. */
export const submitterOf = ({ submitter }: Pick<Run, 'submitter'>): string => submitter ?? '';

/** Locks, resources, the slot of a placement that is not simply this machine, and the bound of a group. */
export const namedNeeds = (
  { settings }: Pick<Scheduler, 'settings'>,
  row: Pick<Run, 'needs' | 'placement' | 'group_id' | 'parent_run'>,
): Need[] => {
  const { locks, resources, max_parallel } = row.needs;
  const runner = runnerOf(row.placement, settings.get('ORCA_RUNNER'));
  const here = row.parent_run !== null || runner === 'local';
  return [
    ...[...new Set(locks)].map((name) => ({ of: `lock:${name}`, amount: 1, there: 1 }) as const),
    ...Object.entries(resources).map(([name, amount]) => ({ of: `resource:${name}`, amount, there: null }) as const),
    ...(here ? [] : [{ of: `slot:${row.placement ?? runner}`, amount: 1, there: null } as const]),
    ...(max_parallel === null || row.group_id === null
      ? []
      : [{ of: `group:${row.group_id}`, amount: 1, there: max_parallel } as const]),
  ];
};

const mostOf = (scheduler: Scheduler, row: Queued): Pick<Shape, 'most'> => {
  const most = mostHere(scheduler, row);
  return most === null ? {} : { most };
};

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
