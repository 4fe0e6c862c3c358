import { OrcaError } from '../errors/orca-error.ts';
import type { Admitted, Held, Waiting } from '../admission/types.ts';
import { claimStart, type Claim } from '../store/claim-start.ts';
import { getStoredRun } from '../store/get-run.ts';
import type { StoredRun } from '../store/run.ts';
import { bytesOfMib, millis, type RunId } from '../units/brands.ts';
import { cgroupOf } from './contain.ts';
import { errorWords } from './error-words.ts';
import { newLiveStart, type LiveStart } from './live-start.ts';
import { endWith, insideOf, isNested, liveParent } from './nested.ts';
import type { Scheduler } from './scheduler.ts';
import { sendStart } from './send-start.ts';
import { sizeOfStart } from './size-of-start.ts';
import { steadyNow } from './steady.ts';
import { checkStageRoom, checkStartRoom } from './start-room.ts';
import { lastFolder, makeLogFolder, unmakeLogFolder, type MadeFolder } from './log-folders.ts';
import { logFiles, type LogFiles } from './state-folder.ts';
import { logsTo } from './moved-logs.ts';

const retryClaimAfter = 5000;
/** With many that wait for room in the stage so much longer for each, in ms: no more than 200 are tried in a second. */
const eachMore = 5;

/** A run that has left the queue, and holds its part already. */
export interface Taken {
  readonly waiting: Waiting;
  readonly admitted: Admitted;
  readonly held: Held;
}

/** Takes admitted runs out of the queue: all before the first is claimed, so that no other decision sees their parts as free. */
export const takeAdmitted = ({ queue, claiming }: Scheduler, all: readonly Admitted[]): Taken[] =>
  all.flatMap((admitted) => {
    const waiting = queue.remove(admitted.run);
    if (waiting === null) return [];
    const held = heldBy(waiting, admitted);
    claiming.set(admitted.run, held);
    return [{ waiting, admitted, held }];
  });

/** Claims the next start of a run in the store, and has it started. */
export const claim = async (scheduler: Scheduler, { waiting, admitted, held }: Taken): Promise<void> => {
  const { queue, claiming, host, store } = scheduler;
  let made: MadeFolder | null = null;
  try {
    checkStartRoom(scheduler.state.folder);
    const live = await store.command(async (tx) => {
      const row = await getStoredRun(tx, admitted.run);
      // A person's kill came first.
      if (row?.state !== 'queued') return null;
      if (row.damage !== null) return { damage: row.damage };
      // So did a person who holds it back.
      if (row.paused !== null) return row.paused;
      const parent = liveParent(scheduler, row);
      if (isNested(row) && parent === null) return 'orphan';
      checkStageRoom(scheduler, row);
      made = makeLogFolder(scheduler.state, row.id, await lastFolder(tx, row));
      const claim = newClaim(scheduler, row, admitted, held, { parent, logs: made.folder });
      const taken = await claimStart(tx, {
        run: row.id,
        start: claim.start,
        uuid: claim.uuid,
        grant_bytes: admitted.grant,
        limit_bytes: bytesOfMib(claim.limit),
        cap_bytes: claim.cap,
        cgroup: claim.cgroup,
        gpus: held.gpus,
        cpus_milli: row.cpus_milli,
        claimed_at: claim.claimedAt,
        ...logPaths(scheduler, row.id, claim.logs),
      });
      if (!taken) scheduler.startFolders.remove(claim.folder);
      if (!taken) unmakeLogFolder(made);
      return taken ? claim : null;
    });
    claiming.delete(admitted.run);
    scheduler.stall.succeeded();
    if (live === null) return;
    if (live === 'orphan') {
      const ended = await endWith(scheduler, admitted.run, waiting.inside ?? admitted.run);
      if (!ended) queue.add({ ...waiting, notBefore: millis(steadyNow(host) + retryClaimAfter) });
      return;
    }
    if ('damage' in live) return queue.add({ ...waiting, ...live });
    if ('by' in live) return queue.add({ ...waiting, paused: live });
    scheduler.live.set(live.run, live);
    // Its parent may have ended while this was stored.
    if (live.parent !== null && liveParent(scheduler, live.row) === null)
      void endWith(scheduler, live.run, live.parent.run);
    sendStart(scheduler, live);
  } catch (error) {
    // Nothing was started: the run waits on, and says why.
    claiming.delete(admitted.run);
    unmakeLogFolder(made);
    const why = `cannot be started: ${errorWords(error)}`;
    if (scheduler.troubles.get(admitted.run) !== why)
      scheduler.log.error({ err: error, run: admitted.run }, 'a start could not be claimed');
    scheduler.troubles.set(admitted.run, why);
    const isStage = error instanceof OrcaError && error.code === 'stage-full';
    // That is no trouble of others: hundreds that wait for it must not hold all.
    if (!isStage) scheduler.stall.failed(why, isCommon(error), steadyNow(host));
    const after = retryClaimAfter + (isStage ? scheduler.troubles.size * eachMore : 0);
    queue.add({ ...waiting, notBefore: millis(steadyNow(host) + after) });
  } finally {
    scheduler.moved.raise();
  }
};

/** What would keep every other run from being claimed, too. */
const common: ReadonlySet<string> = new Set([
  'state-full',
  'logs-unwritable',
  'store-full',
  'store-io',
  'store-busy',
  'store-unwritable',
  'store-unreachable',
]);
const isCommon = (error: unknown): boolean => error instanceof OrcaError && common.has(error.code);

const heldBy = (waiting: Waiting, { counted, expected, gpus, turn }: Admitted): Held => ({
  run: waiting.run,
  submitter: waiting.submitter,
  memory: counted,
  expected,
  turn,
  // Inside another run: what that one holds.
  ...(waiting.inside === null
    ? { cpusMilli: waiting.shape.cpusMilli, gpus, needs: waiting.shape.needs }
    : { cpusMilli: 0, gpus: [], needs: [] }),
});

const newClaim = (
  scheduler: Scheduler,
  row: StoredRun,
  admitted: Admitted,
  held: Held,
  { parent, logs }: { readonly parent: LiveStart | null; readonly logs: string },
): LiveStart => {
  const { host } = scheduler;
  const { start, folder } = makeNextFolder(scheduler, row);
  const cgroup = parent === null ? cgroupOf(scheduler, row.id, start) : null;
  const size = sizeOfStart(scheduler, row, {
    grant: admitted.grant,
    contained: cgroup !== null,
    within: parent?.limit ?? null,
  });
  return newLiveStart(host, {
    row,
    start,
    folder,
    uuid: host.uuid(),
    held,
    ...size,
    logs: logFiles(scheduler.state, row.id, start, logs),
    cgroup,
    parent: parent === null ? null : insideOf(parent),
    keptBack: scheduler.keptBack.log.take(row.id, steadyNow(host)),
    claimedAt: host.now(),
  });
};

/**
 * Made inside the claim, so that a claim always has its folder. A number whose folder exists is never given again: claims are not
 * synced, so after a power failure the folder may know of a start that the store has forgotten.
 */
const makeNextFolder = ({ startFolders }: Scheduler, run: StoredRun): { start: number; folder: string } => {
  for (let start = run.current_start + 1; ; start += 1) {
    const folder = startFolders.make(run.id, start);
    if (folder !== null) return { start, folder };
  }
};

export const logPaths = (
  scheduler: Scheduler,
  run: RunId,
  { stdout, stderr }: LogFiles,
): Required<Pick<Claim, 'stdout_path' | 'stderr_path' | 'logs_to'>> => ({
  stdout_path: stdout,
  stderr_path: stderr,
  logs_to: logsTo(scheduler, run),
});
