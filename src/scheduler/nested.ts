import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseRunName } from '../containment/run-name.ts';
import type { Evidence } from '../evidence/evidence.ts';
import type { ExitRecord } from '../keeper/records.ts';
import type { Run } from '../store/run.ts';
import { runId, type RunId } from '../units/brands.ts';
import type { SubmitRequest } from '../wire/api.ts';
import { cpusAsked } from './asked.ts';
import { kill } from './kill.ts';
import type { LiveStart, Parent } from './live-start.ts';
import type { Scheduler } from './scheduler.ts';

/**
 * A run that was called inside a start of another run (design: Memory 8): it works in that start's cgroup and within its
 * memory, so it counts for nothing and does not queue, and it ends with it.
 */

/** The start that a submission's caller is part of; null for any other caller, and for one whose start is over. */
export const parentOf = (scheduler: Scheduler, { inside }: Pick<SubmitRequest, 'inside'>): LiveStart | null => {
  if (inside === undefined) return null;
  const live = scheduler.live.get(runId(inside.run));
  return live?.uuid === inside.start && !live.ending ? live : null;
};

/** The run that a submission's caller is part of, and those that that one is inside of. */
export const ancestors = (scheduler: Scheduler, parent: LiveStart | null): RunId[] => {
  const found: RunId[] = [];
  for (let at = parent; at !== null && !found.includes(at.run); at = liveParent(scheduler, at.row)) found.push(at.run);
  return found;
};

/** Who asked for no cpus has what its parent has, where that is less than the one that it counts for elsewhere. */
export const cpusWithin = (parent: LiveStart | null, request: SubmitRequest): SubmitRequest =>
  parent === null || cpusAsked(request)
    ? request
    : { ...request, cpus: Math.min(request.cpus, parent.row.cpus_milli / 1000), cpus_asked: false };

/** The live start that a stored run belongs into; null when that is over, or the run is in none. */
export const liveParent = (scheduler: Scheduler, row: ParentOf): LiveStart | null => {
  if (row.parent_run === null) return null;
  const live = scheduler.live.get(row.parent_run);
  return live?.start === row.parent_start && !live.ending ? live : null;
};

type ParentOf = Pick<Run, 'parent_run' | 'parent_start'>;

export const isNested = (row: Pick<ParentOf, 'parent_run'>): boolean => row.parent_run !== null;

/** What a nested start keeps of its parent. */
export const insideOf = ({ run, start, folder, limit, cgroup, parent }: LiveStart): Parent => ({
  run,
  start,
  folder,
  limit,
  cgroup: cgroup ?? parent?.cgroup ?? null,
});

/** Where the kernel counts the kills in a parent's cgroup. */
export const parentCounter = (cgroup: string): string => join(cgroup, 'memory.events');

/** What is known of the parent at the end of a nested start. */
export const parentEvidence = (
  scheduler: Scheduler,
  { row, parent }: LiveStart,
  record: ExitRecord | null,
): Evidence['parent'] => {
  if (row.parent_run === null) return null;
  const counter = record?.shared?.file ?? '';
  return {
    run: row.parent_run,
    ended: parent === null || parentEnded(scheduler, parent),
    counted: parseRunName(basename(dirname(counter))) !== null,
  };
};

/** Whether the parent's command has ended: its keeper writes that before it ends what is left, the nested run with it. */
const parentEnded = ({ live }: Scheduler, { run, start, folder }: Parent): boolean => {
  const found = live.get(run);
  return found?.start !== start || found.ending || existsSync(join(folder, 'exit'));
};

/** Ends the runs inside a start that is over, whatever they do. */
export const endNested = async (scheduler: Scheduler, over: Pick<LiveStart, 'run' | 'start'>): Promise<void> => {
  const inside: RunId[] = [];
  for (const { run, parent } of scheduler.live.values())
    if (parent?.run === over.run && parent.start === over.start) inside.push(run);
  for (const { run, inside: parent } of scheduler.queue.nested()) if (parent === over.run) inside.push(run);
  await Promise.all(inside.map((run) => endWith(scheduler, run, over.run)));
};

/** Ends a run whose parent is over; whether that was recorded. */
export const endWith = async (scheduler: Scheduler, run: RunId, parent: RunId): Promise<boolean> => {
  try {
    await kill(scheduler, [run], { by: `the end of run ${parent}, inside which it ran`, now: true });
    return true;
  } catch (error) {
    scheduler.log.error({ err: error, run }, 'a run inside one that is over could not be ended');
    return false;
  }
};
