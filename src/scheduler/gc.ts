import { newestBeyond, runsAfter, type StoredAge } from '../store/aged-runs.ts';
import { NeededRuns } from '../store/needed-runs.ts';
import { isFinal } from '../runs/transitions.ts';
import type { Millis, RunId } from '../units/brands.ts';
import { deleteShare, dispensable, logBytes, nothingDeleted, type Deleted } from './delete-runs.ts';
import type { Scheduler } from './scheduler.ts';

export interface GcRule {
  /** Runs that ended before this moment; null: whenever they ended. */
  readonly before: Millis | null;
  /** Not the newest so many of those that are over; null: no number. */
  readonly keep: number | null;
  /** Only says what it would do. */
  readonly dryRun: boolean;
}

/** One command's share, so that others of the batch do not wait long. */
const share = 100;

/** Deletes the runs that are over and fall under a rule, oldest first, with their logs and samples. */
export const gc = async (scheduler: Scheduler, { before, keep, dryRun }: GcRule): Promise<Deleted> => {
  const { store } = scheduler;
  const total = nothingDeleted();
  if (before === null && keep === null) return total;
  const last = keep === null ? (Number.MAX_SAFE_INTEGER as RunId) : await newestBeyond(store.read, keep);
  if (last === null) return total;
  const falls = ({ id, state, ended_at }: StoredAge): boolean =>
    id <= last && isFinal(state) && ended_at !== null && (before === null || ended_at < before);
  const needed = new NeededRuns();
  for (let after = 0; !scheduler.closing;) {
    const page = await runsAfter(store.read, after, share);
    const old = page.filter(falls);
    if (old.length > 0) {
      await needed.read(store.read);
      const going = dispensable(scheduler, old, needed);
      total.kept += old.length - going.length;
      if (dryRun) await count(scheduler, going, total);
      else await deleteShare(scheduler, going, needed, total);
    }
    after = page.at(-1)?.id ?? after;
    // Numbers follow the time of submission, so that later ones are younger still; one clock that was set wrong ends nothing.
    const young = before !== null && page.every(({ submitted_at }) => submitted_at >= before);
    if (page.length < share || young || after >= last) break;
  }
  return total;
};

const count = async (scheduler: Scheduler, ids: readonly RunId[], total: Deleted): Promise<void> => {
  for (const id of ids) total.bytes += await logBytes(scheduler, id);
  total.runs += ids.length;
};
