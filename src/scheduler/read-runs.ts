import { getRunsWithStarts } from '../store/get-run.ts';
import type { RunId } from '../units/brands.ts';
import type { RunJson } from '../wire/api.ts';
import { runJson } from './run-json.ts';
import type { Scheduler } from './scheduler.ts';

/** Runs as clients see them, in the order asked for; null for one that does not exist. */
export const readRuns = async (scheduler: Scheduler, ids: readonly RunId[]): Promise<(RunJson | null)[]> => {
  const found = await getRunsWithStarts(scheduler.store.read, ids);
  return ids.map((id) => {
    const run = found.get(id);
    return run === undefined ? null : runJson(scheduler, run);
  });
};
