import { listStartFolders, readStartFolder, startFolder, type StartId } from '../keeper/start-folder.ts';
import { activeCommands, activeStarts, queuedRuns, startedRuns } from '../store/active-runs.ts';
import { claimStart, type Claim } from '../store/claim-start.ts';
import { endedAt, getRunWithStarts } from '../store/get-run.ts';
import { raiseRunCounter } from '../store/ids.ts';
import type { StoredRun } from '../store/run.ts';
import type { StartRow } from '../store/schema.ts';
import { bytesOfMib, mibOfBytes, runId, type RunId } from '../units/brands.ts';
import { adopt } from './adopt.ts';
import { logPaths } from './claim.ts';
import { clearRunFiles } from './clear-run-files.ts';
import { findCgroup, removeStale } from './contain.ts';
import { heldByStart, nothingHeld } from './held-by-start.ts';
import { loadLearned, mostLookedUp } from './learned.ts';
import { enqueue, grantOfRun } from './enqueue.ts';
import { endStray } from './end-stray.ts';
import { newLiveStart, type LiveStart } from './live-start.ts';
import type { Scheduler } from './scheduler.ts';
import { endWith, insideOf, isNested, liveParent } from './nested.ts';
import { recallRemembered, type Turns } from './remembered.ts';
import { loadRaises } from './raises.ts';
import { logFilesOf, logFiles } from './state-folder.ts';
import { steadyOf } from './steady.ts';
import { sizeOfStart } from './size-of-start.ts';
import { resumeLogs, stagedStarts } from './keep-logs.ts';
import { recallStages } from './recall-stages.ts';
import { recallMask } from './start-masks.ts';
import { watchUsage } from './watch-usage.ts';

/**
 * Rebuilds the memory of a daemon that was started anew: first every start that may still go on is adopted, then the queue is filled.
 * What the folders know and the store does not is taken from the folders: claims are not synced.
 */
export const recover = async (scheduler: Scheduler): Promise<void> => {
  const folders = listStartFolders(scheduler.state.folder);
  // Also of a store that was deleted: what another one's runs wrote is no run's of this one.
  const taken = [...folders, ...stagedStarts(scheduler)].reduce((most, { run }) => Math.max(most, run), 0);
  await scheduler.store.command((tx) => raiseRunCounter(tx, runId(taken)));
  for (const id of folders) {
    try {
      await claimForgotten(scheduler, id);
    } catch (error) {
      // One bad folder stops no other.
      scheduler.log.error({ err: error, ...id }, 'a start folder could not be recovered');
    }
  }
  await loadRaises(scheduler);
  const { read } = scheduler.store;
  await loadLearned(scheduler, read, await activeCommands(read, mostLookedUp));
  const turns = await recallRemembered(scheduler);
  const runs = new Map((await startedRuns(read)).map((run) => [run.id, run]));
  for (const row of await activeStarts(read)) {
    const run = runs.get(row.run);
    if (run === undefined) continue;
    scheduler.live.set(run.id, liveOf(scheduler, run, row, turns));
  }
  await recallStages(scheduler);
  for (const live of scheduler.live.values()) {
    recallMask(scheduler, live);
    adopt(scheduler, live);
  }
  await resumeLogs(scheduler);
  for (const { run, row, parent } of scheduler.live.values())
    if (row.parent_run !== null && parent === null) void endWith(scheduler, run, row.parent_run);
  watchUsage(scheduler);
  await removeStale(scheduler);
  for (const run of runs.values()) expectOwner(scheduler, run);
  for await (const run of queuedRuns(read)) {
    const since = run.not_before === null ? null : await endedAt(read, run.id, run.current_start);
    enqueue(scheduler, run, since ?? scheduler.host.now());
    expectOwner(scheduler, run);
  }
  clearRunFiles(scheduler);
};

const expectOwner = ({ owners, ownerPatience }: Scheduler, { owner }: Pick<StoredRun, 'owner'>): void => {
  if (owner !== null) owners.expect(owner, ownerPatience);
};

/** A folder whose start the store does not know counts as a claimed start of its run; one of an ended start is not needed any more. */
const claimForgotten = async (scheduler: Scheduler, id: StartId): Promise<void> => {
  const folder = startFolder(scheduler.state.folder, id);
  const run = runId(id.run);
  const found = await getRunWithStarts(scheduler.store.read, run);
  if (found === null) return endStray(scheduler, folder, id);
  const row = found.starts.find(({ start }) => start === id.start);
  if (row?.state === 'ended' || row?.state === 'void') return scheduler.startFolders.remove(folder);
  if (row !== undefined) return;
  const claimed = await scheduler.store.command((tx) =>
    claimStart(tx, forgottenClaim(scheduler, run, id.start, found.run)),
  );
  if (!claimed) await endStray(scheduler, folder, id);
};

const forgottenClaim = (scheduler: Scheduler, run: RunId, start: number, row: StoredRun): Claim => {
  const folder = startFolder(scheduler.state.folder, { run, start });
  const { pid } = readStartFolder(folder, { procRoot: scheduler.host.procRoot, bootId: scheduler.bootId });
  const grant = grantOfRun(scheduler, row);
  const cgroup = findCgroup(scheduler, run, start);
  const { limit, cap } = sizeOfStart(scheduler, row, { grant, contained: cgroup !== null, within: null });
  return {
    run,
    start,
    uuid: pid?.value?.uuid ?? scheduler.host.uuid(),
    grant_bytes: grant,
    limit_bytes: bytesOfMib(limit),
    cap_bytes: cap,
    cgroup,
    cpus_milli: row.cpus_milli,
    claimed_at: scheduler.host.now(),
    ...logPaths(scheduler, run, logFiles(scheduler.state, run, start)),
  };
};

const liveOf = (scheduler: Scheduler, run: StoredRun, row: StartRow, turns: Turns): LiveStart => {
  const parent = liveParent(scheduler, run);
  const live = newLiveStart(scheduler.host, {
    row: run,
    start: row.start,
    folder: startFolder(scheduler.state.folder, row),
    uuid: row.uuid,
    held: isNested(run) ? nothingHeld(run) : heldByStart(scheduler, run, row, turns.get(run.id) ?? 0),
    limit: mibOfBytes(row.limit_bytes ?? scheduler.budget.memory),
    cap: row.cap_bytes,
    logs: logFilesOf(row),
    cgroup: row.cgroup,
    // Its parent is older, so it was found before.
    parent: parent === null ? null : insideOf(parent),
    claimedAt: row.claimed_at,
  });
  live.gap = true;
  live.meter.recall(row.peak_rss_bytes, row.peak_cpus);
  live.keptPeak = row.peak_rss_bytes ?? 0;
  if (row.state === 'running') {
    live.startedAt = row.started_at ?? row.claimed_at;
    live.since = steadyOf(scheduler.host, live.startedAt);
    live.pid = row.pid;
    live.keeperPid = row.keeper_pid;
    live.otherBoot = row.boot !== null && scheduler.bootId !== null && row.boot !== scheduler.bootId;
  }
  if (run.kill_at !== null) live.ask = { mark: 'user', text: run.kill_by ?? 'a person', now: run.kill_now === 1 };
  return live;
};
