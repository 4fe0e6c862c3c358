import { OrcaError } from '../errors/orca-error.ts';
import { activeRunsOf, unknownGroup } from '../store/chosen-runs.ts';
import { runId, type RunId } from '../units/brands.ts';
import type { ChosenRuns } from '../wire/api.ts';
import type { Scheduler } from './scheduler.ts';

/** Those named by number, as they were named, and then all others that are not over; each once. An unknown group is refused. */
export const chosenRuns = async (
  { store }: Pick<Scheduler, 'store'>,
  { runs = [], groups = [], tags = [] }: ChosenRuns,
): Promise<RunId[]> => {
  const unknown = await unknownGroup(store.read, groups);
  if (unknown !== null) throw new OrcaError('group-unknown', { group: unknown });
  return [...new Set([...runs.map(runId), ...(await activeRunsOf(store.read, { groups, tags }))])];
};
