import { OrcaError } from '../errors/orca-error.ts';
import { getRunsWithStarts, getRun } from '../store/get-run.ts';
import { groupCounts, groupFailures, groupRuns } from '../store/group.ts';
import type { GroupJson } from '../wire/api.ts';
import { runSummaryJson } from './run-json.ts';
import type { Scheduler } from './scheduler.ts';

const failuresTold = 10;

/** A group as clients see it. */
export const readGroup = async (scheduler: Scheduler, group: number): Promise<GroupJson> => {
  const db = scheduler.store.read;
  const runs = await groupRuns(db, group);
  const first = runs[0] === undefined ? null : await getRun(db, runs[0]);
  if (first === null) throw new OrcaError('group-unknown', { group });
  const failed = await groupFailures(db, group);
  const told = failed.slice(0, failuresTold);
  const failures = await getRunsWithStarts(db, told);
  return {
    group,
    name: first.name,
    argv: first.argv,
    submitted_at: first.submitted_at,
    max_parallel: first.needs.max_parallel,
    runs,
    counts: await groupCounts(db, group),
    failed,
    failures: told.flatMap((id) => {
      const found = failures.get(id);
      return found === undefined ? [] : [runSummaryJson(scheduler, found.run)];
    }),
  };
};
