import { logSize, runFolders } from '../logs/run-folders.ts';
import { agesOf } from '../store/aged-runs.ts';
import { logPaths } from '../store/log-paths.ts';
import { NeededRuns } from '../store/needed-runs.ts';
import { runId, type Bytes, type RunId } from '../units/brands.ts';
import { dispensable, nothingDeleted, removeLogs, type Deleted } from './delete-runs.ts';
import { ownFolders } from './log-folders.ts';
import type { Scheduler } from './scheduler.ts';

/** Whoever asked for a run may be reading what it wrote when that has just ended. */
const reading = 3_600_000;
const share = 100;

/**
 * Removes logs and samples, those of the oldest runs first, until all together have at most so many bytes. The runs stay known. Folders of runs that the
 * store does not know are left alone: another state folder may keep its logs in the same place.
 */
export const shrinkLogs = async (scheduler: Scheduler, most: Bytes, dryRun: boolean): Promise<Deleted> => {
  const total = nothingDeleted();
  const sizes = await logSizes(scheduler);
  let bytes = 0;
  for (const size of sizes.values()) bytes += size;
  if (bytes <= most) return total;
  const needed = await new NeededRuns().read(scheduler.store.read);
  const oldest = [...sizes.keys()].sort((a, b) => a - b);
  for (let at = 0; at < oldest.length && bytes > most && !scheduler.closing; at += share) {
    const ages = await agesOf(scheduler.store.read, oldest.slice(at, at + share));
    const over = ages.filter(({ ended_at }) => ended_at !== null && ended_at <= scheduler.host.now() - reading);
    for (const id of dispensable(scheduler, over, needed)) {
      const size = sizes.get(id) ?? 0;
      if (bytes <= most) break;
      if (size === 0) continue;
      if (!dryRun && (await removeLogs(scheduler, id)) === null) continue;
      bytes -= size;
      total.bytes += size;
      total.logs += 1;
    }
  }
  return total;
};

/** Of this store's runs. What waits to be moved is the only copy, and is left out. */
const logSizes = async ({ state, store }: Scheduler): Promise<Map<RunId, number>> => {
  const sizes = new Map<RunId, number>();
  let found: { readonly run: RunId; readonly folder: string }[] = [];
  const look = async (): Promise<void> => {
    const starts = Map.groupBy(
      await logPaths(
        store.read,
        found.map(({ run }) => run),
      ),
      ({ run }) => run,
    );
    for (const { run, folder } of found) {
      const own = starts.get(run) ?? [];
      if (own.some(({ logs_to }) => logs_to !== null) || !ownFolders(state, own).includes(folder)) continue;
      const { logs, samples } = await logSize(folder);
      sizes.set(run, (sizes.get(run) ?? 0) + logs + samples);
    }
    found = [];
  };
  for await (const { run, folder } of runFolders(state.logs))
    if (found.push({ run: runId(run), folder }) === share) await look();
  await look();
  return sizes;
};
