import { OrcaError } from '../errors/orca-error.ts';
import { runsOf, unknownGroup } from '../store/chosen-runs.ts';
import { runId, type RunId } from '../units/brands.ts';
import type { ChosenRuns } from '../wire/api.ts';
import type { Scheduler } from './scheduler.ts';

/**
 * Those named by number, as they were named, and then those of the groups and tags: all of them, or those that are not over. Each once. An
 * unknown group is refused.
 */
export const chosenRuns = async (
  { store }: Pick<Scheduler, 'store'>,
  { runs = [], groups = [], tags = [] }: ChosenRuns,
  over = false,
): Promise<RunId[]> => {
  const unknown = await unknownGroup(store.read, groups);
  if (unknown !== null) throw new OrcaError('group-unknown', { group: unknown });
  return [...new Set([...runs.map(runId), ...(await runsOf(store.read, { groups, tags }, over))])];
};
