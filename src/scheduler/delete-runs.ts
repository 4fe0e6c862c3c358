import { logSize, removeRunFolder } from '../logs/run-folders.ts';
import { dropStaged } from '../logs/stage-folder.ts';
import { whyKept, type AgedRun } from '../runs/retention.ts';
import { agesOf } from '../store/aged-runs.ts';
import { deleteRuns } from '../store/delete-runs.ts';
import { startsOf } from '../store/get-run.ts';
import type { StartRow } from '../store/schema.ts';
import type { NeededRuns } from '../store/needed-runs.ts';
import type { RunId } from '../units/brands.ts';
import { ownFolders } from './log-folders.ts';
import { movedBytes } from './moved-logs.ts';
import { removeObjects } from './remove-objects.ts';
import { allStages } from './staged-logs.ts';
import type { Scheduler } from './scheduler.ts';

/** What a deletion came to. */
export interface Deleted {
  /** Runs that are gone. */
  runs: number;
  /** Runs whose logs and samples alone are gone. */
  logs: number;
  bytes: number;
  /** Runs that stay though their time is over. */
  kept: number;
  /** Runs that stay because something of them could not be deleted. */
  failed: number;
}

export const nothingDeleted = (): Deleted => ({ runs: 0, logs: 0, bytes: 0, kept: 0, failed: 0 });

/** Splits off what unfinished work or a key still needs. */
export const dispensable = (
  { host }: Pick<Scheduler, 'host'>,
  runs: readonly AgedRun[],
  needed: NeededRuns,
): RunId[] => {
  const now = host.now();
  return runs.filter((run) => whyKept(run, needed, now) === null).map(({ id }) => id);
};

/**
 * Deletes runs: their files first, then their rows. Whatever ends in between leaves rows without files, which the next deletion finds again; the
 * other way round nobody would ever find the files.
 */
export const deleteShare = async (
  scheduler: Scheduler,
  ids: readonly RunId[],
  needed: NeededRuns,
  total: Deleted,
): Promise<void> => {
  const cleared: RunId[] = [];
  for (const id of ids) {
    const bytes = await removeLogs(scheduler, id);
    if (bytes === null) total.failed += 1;
    else cleared.push(id);
    total.bytes += bytes ?? 0;
  }
  const gone = await scheduler.store.command(async (tx) => {
    // Somebody may have submitted what comes after one of them.
    await needed.read(tx);
    return deleteRuns(tx, dispensable(scheduler, await agesOf(tx, cleared), needed));
  });
  total.runs += gone.length;
};

/** Removes a run's logs and samples, and what of its output never got into a log; gives how many bytes they had, null when they cannot be removed: one such run stops no other. */
export const removeLogs = async (scheduler: Scheduler, run: RunId): Promise<number | null> => {
  const { state, log } = scheduler;
  try {
    const starts = await startsOf(scheduler.store.read, run);
    const bytes = await bytesOf(scheduler, starts);
    await removeObjects(scheduler, run);
    for (const folder of ownFolders(state, starts)) await removeRunFolder(folder);
    for (const folder of allStages(scheduler)) await dropStaged({ folder, state: state.named }, run);
    return bytes;
  } catch (error) {
    log.warn({ err: error, run }, 'the logs of a run could not be deleted');
    return null;
  }
};

/** Here and in object storages. */
export const logBytes = async (scheduler: Scheduler, run: RunId): Promise<number> =>
  bytesOf(scheduler, await startsOf(scheduler.store.read, run));

const bytesOf = async ({ state, logMoving }: Scheduler, starts: readonly StartRow[]): Promise<number> => {
  let bytes = logMoving.on ? movedBytes(starts) : 0;
  for (const folder of ownFolders(state, starts)) {
    const { logs, samples } = await logSize(folder);
    bytes += logs + samples;
  }
  return bytes;
};
