import type { ExitRecord } from '../keeper/records.ts';
import { keptCounts } from '../evidence/counters.ts';
import { noEvidence, type Evidence, type KernelLog, type LostReason, type StartFailure } from '../evidence/evidence.ts';
import { verdict, type Judgement } from '../evidence/verdict.ts';
import { exitStatus } from '../runs/exit-status.ts';
import { successOf, type Success } from '../runs/learning.ts';
import type { Decision } from '../runs/retry.ts';
import { addEndedAttempt } from '../store/attempts.ts';
import { endStart } from '../store/end-start.ts';
import { addEvents, type NewEvent } from '../store/events.ts';
import { finishRun } from '../store/finish-run.ts';
import { getChanging, getStoredRun, startsOf } from '../store/get-run.ts';
import { requeueRun } from '../store/requeue-run.ts';
import type { StoredRun } from '../store/run.ts';
import type { Tx } from '../store/schema.ts';
import { bytesOfMib, millis, type Millis } from '../units/brands.ts';
import { ownEvents, removeCgroupOf } from './contain.ts';
import { declaredText } from './declared-text.ts';
import { errorWords } from './error-words.ts';
import { enqueue } from './enqueue.ts';
import { keepSuccess } from './learned.ts';
import { lostOutput } from './lost-output.ts';
import { meterTime, type LiveStart } from './live-start.ts';
import { endNested, parentEvidence } from './nested.ts';
import { endOnDisk } from './on-disk.ts';
import { keepRaise, raiseAfterEnd, storeRaise, type RaiseChange } from './raises.ts';
import { readKernelLog } from './read-kernel-log.ts';
import { killCameAfterEnd } from './kill-after-end.ts';
import { retryDecision } from './retry-decision.ts';
import type { Scheduler } from './scheduler.ts';
import { endSamples } from './sample-starts.ts';
import { keepLogs } from './keep-logs.ts';
import { startUsage } from './start-usage.ts';
import { endTimes } from './time-logs.ts';
import { totalUsage } from './total-usage.ts';
import { dropRunFiles } from './drop-run-files.ts';

/** What is known of a start's end. */
export interface Ending {
  readonly record?: ExitRecord | null;
  /** Nothing was begun. */
  readonly refused?: StartFailure;
  /** It was begun, and nobody saw its end. */
  readonly lost?: LostReason;
}

/**
 * Stores the end of a start with its verdict, and what follows: another start, or the run's end. Does nothing when the end is known already.
 * Whoever waits hears of it once it is on disk.
 */
export const finish = async (scheduler: Scheduler, live: LiveStart, ending: Ending): Promise<void> => {
  if (live.ending) return;
  live.ending = true;
  live.unwatch?.();
  endSamples(scheduler, live);
  endTimes(live);
  const { store, log } = scheduler;
  try {
    const kernelLog = await readKernelLog(scheduler, live, ending);
    const stored = await store.command(async (tx) => {
      const end = await storeEnd(scheduler, live, { ...ending, kernelLog }, tx);
      if (end?.decision.next === 'final') release(scheduler, live);
      return end;
    });
    forget(scheduler, live);
    tellOuter(scheduler, live);
    keepLogs(scheduler, live.row, live, live.staged);
    void endNested(scheduler, live);
    removeCgroupOf(scheduler, live);
    scheduler.troubles.delete(live.run);
    if (stored?.raise != null) keepRaise(scheduler, stored.raise);
    if (stored?.taught != null) keepSuccess(scheduler, stored.taught.command, stored.taught.success);
    if (stored?.decision.next === 'again') enqueue(scheduler, stored.run);
    scheduler.moved.raise();
    if (stored !== null) await tell(scheduler, live, stored.decision);
    dropFolder(scheduler, live, ending);
  } catch (error) {
    // The folder still says how it ended: the next look stores it.
    live.ending = false;
    live.released = false;
    live.adopted = true;
    live.unstoredEnd = true;
    log.error({ err: error, run: live.run, start: live.start }, 'the end of a start could not be stored');
    scheduler.troubles.set(live.run, `its end cannot be stored yet: ${errorWords(error)}`);
    scheduler.changes.tell(live.run, false);
  }
};

/** With what had to be read before the store's turn: nothing else is waited for within it. */
type Known = Ending & { readonly kernelLog: KernelLog };

interface Stored {
  readonly decision: Decision;
  readonly run: StoredRun;
  readonly raise: RaiseChange | null;
  /** What it teaches about its command. */
  readonly taught: { readonly command: string; readonly success: Success } | null;
}

const storeEnd = async (scheduler: Scheduler, live: LiveStart, ending: Known, tx: Tx): Promise<Stored | null> => {
  const changing = await getChanging(tx, live.run);
  if (changing === null) return null;
  const run: StoredRun = { ...live.row, ...changing };
  const record = ending.record ?? null;
  const endedAt = endOf(scheduler, record);
  const usage = startUsage(live.meter, record, meterTime(scheduler.host, endedAt));
  const evidence = {
    ...evidenceOf(scheduler, live, ending, run),
    oomTextMatched: await declaredText(scheduler, tx, live),
  };
  const lost = hasBegun(ending) ? lostOutput(scheduler, live) : null;
  const judged = withWarning(verdict(evidence), lost?.words ?? null);
  const { decision, text, nextLimit, raised } = retryDecision(
    scheduler,
    run,
    live,
    judged,
    killCameAfterEnd(run, record),
  );
  // The keeper's own time: the daemon heard of it a little later, or was away.
  const startedAt = startOf(record) ?? live.startedAt;

  const ended = await endStart(tx, {
    run: live.run,
    start: live.start,
    verdict: judged.verdict,
    evidence: judged.evidence,
    text,
    exit_code: judged.exitCode,
    signal: judged.signal,
    next_limit_bytes: nextLimit,
    ended_at: endedAt,
    started_at: startedAt,
    pid: live.pid,
    keeper_pid: live.keeperPid,
    gap: live.gap ? 1 : 0,
    lost_output: lost?.kind ?? null,
    ...usage,
    ...keptCounts(evidence),
  });
  if (!ended) return null;
  await storeAttempt(tx, live, judged, usage, startedAt ?? live.claimedAt, endedAt, text);
  const kept = live.keptBackTold || live.keptBack.length === 0 ? {} : { kept_back: live.keptBack };
  const waits = decision.next === 'again' && decision.afterMs > 0;
  const notBefore = waits ? millis(scheduler.host.now() + decision.afterMs) : null;
  const again = notBefore === null ? {} : { not_before: notBefore };
  const data = { start: live.start, verdict: judged.verdict, evidence: judged.evidence, text, ...kept, ...again };
  const events: NewEvent[] = [{ run: run.id, at: endedAt, kind: 'start-ended', data }];
  if (decision.next === 'again') {
    await requeueRun(tx, {
      run: run.id,
      start: live.start,
      counts: decision.counts,
      not_before: notBefore,
      raised_bytes: decision.raised === null ? null : bytesOfMib(decision.raised),
      held: null,
      started_at: startedAt,
    });
  } else {
    const { state } = decision;
    // A kill that came when the start had just ended: final for the run, and not how the start ended.
    const late = state === 'killed' && judged.verdict !== 'killed';
    const by = run.kill_by ?? 'a person';
    const said = late ? `killed (${by}), when its start had just ended: ${text}` : `${text}${afterwards(run, record)}`;
    await finishRun(tx, {
      run: run.id,
      start: live.start,
      state,
      evidence: late ? 'user-kill' : judged.evidence,
      text: said,
      exit_code: judged.exitCode,
      signal: judged.signal,
      exit_status: exitStatus({ state, exitCode: judged.exitCode, evidence: judged.evidence }),
      ended_at: endedAt,
      started_at: run.started_at ?? startedAt,
      ...totalUsage(live.start > 1 ? await startsOf(tx, run.id) : [usage]),
    });
    events.push({ run: run.id, at: endedAt, kind: 'finished', data: { state, text: said } });
  }
  await addEvents(tx, events);
  const raise = raiseAfterEnd(scheduler, run, { raised, teaches: judged.teaches });
  if (raise !== null) await storeRaise(tx, raise, scheduler.host);
  const taught =
    judged.teaches && startedAt !== null && run.command !== null
      ? {
          command: run.command,
          success: successOf({
            peakBytes: usage.peak_rss_bytes,
            limitBytes: bytesOfMib(live.limit),
            startedAt,
            endedAt,
          }),
        }
      : null;
  return {
    raise,
    taught,
    decision,
    run: decision.next === 'again' ? ((await getStoredRun(tx, live.run)) ?? run) : run,
  };
};

/** Its command was begun, so its outputs were opened. */
const hasBegun = ({ record, refused }: Ending): boolean => refused === undefined && record?.how !== 'not-started';

const withWarning = (judged: Judgement, words: string | null): Judgement =>
  words === null ? judged : { ...judged, warning: judged.warning === null ? words : `${judged.warning}; ${words}` };

/** A kill that found nothing to end any more is said, and is not how the run ended. */
const afterwards = (run: StoredRun, record: ExitRecord | null): string =>
  killCameAfterEnd(run, record) ? `; a kill came afterwards (${run.kill_by ?? 'a person'})` : '';

const storeAttempt = async (
  tx: Tx,
  { run, start }: LiveStart,
  { verdict: state }: Judgement,
  usage: ReturnType<typeof startUsage>,
  startedAt: Millis,
  endedAt: Millis,
  text: string,
): Promise<void> => {
  const { peak_rss_bytes, cpu_seconds, peak_cpus, memory_stall_ms, memory_stall_full_ms } = usage;
  const measured = { peak_rss_bytes, cpu_seconds, peak_cpus, memory_stall_ms, memory_stall_full_ms };
  const end = { state, error: state === 'succeeded' ? null : text, ended_at: endedAt, ...measured };
  await addEndedAttempt(tx, { run, start, step: 'main', n: 1 }, startedAt, end);
};

const evidenceOf = (
  scheduler: Scheduler,
  live: LiveStart,
  { record, refused, lost, kernelLog }: Known,
  run: StoredRun,
): Evidence => ({
  ...noEvidence,
  kernelLog,
  inPidNamespace: scheduler.inPidNamespace,
  exit: record ?? null,
  begun: refused === undefined,
  refused: refused ?? null,
  lost: lost ?? (record?.how === 'keeper-died' ? 'keeper-died' : null),
  parent: parentEvidence(scheduler, live, record ?? null),
  personKill: run.kill_at === null || killCameAfterEnd(run, record ?? null) ? null : { by: run.kill_by ?? 'a person' },
  limitBytes: bytesOfMib(live.limit),
  ownEvents: ownEvents(scheduler, live),
  killAtBytes: live.cgroup === null ? null : live.cap,
  capBytes: live.cgroup === null ? live.cap : null,
  lastRssBytes: live.lastRss,
  oomExitCodes: run.oom.exit_codes,
  timeoutMs: run.timeout_ms,
  program: run.argv[0] ?? '',
  cwd: run.cwd,
});

/** A record's own times where it has them: the daemon may have been away. */
const endOf = ({ host }: Scheduler, record: ExitRecord | null): Millis =>
  record?.ended_ms == null ? host.now() : millis(record.ended_ms);
const startOf = (record: ExitRecord | null): Millis | null =>
  record?.started_ms == null || record.how === 'not-started' ? null : millis(record.started_ms);

/** Nothing of it runs any more, so what it held is given out at once: the next claim shares the transaction with its end. */
const release = (scheduler: Scheduler, live: LiveStart): void => {
  live.released = true;
  try {
    scheduler.freed.raise();
  } catch (error) {
    // The end is stored whatever goes wrong with the next start; that is tried again once it is.
    scheduler.log.error({ err: error }, 'the next start could not be chosen');
  }
};

/** One that was over between two looks is known by its end alone. */
const tellOuter = (scheduler: Scheduler, { parent, meter }: LiveStart): void => {
  const outer = parent === null ? undefined : scheduler.live.get(parent.run);
  if (outer?.start === parent?.start) outer?.meter.atLeast(Math.max(meter.peakRss ?? -1, meter.maxRss));
};

const forget = (scheduler: Scheduler, live: LiveStart): void => {
  if (scheduler.live.get(live.run) === live) scheduler.live.delete(live.run);
};

const tell = async (scheduler: Scheduler, live: LiveStart, decision: Decision): Promise<void> => {
  await endOnDisk(scheduler);
  const final = decision.next === 'final';
  if (final) dropRunFiles(scheduler, live.row);
  scheduler.eventsWritten.raise();
  scheduler.changes.tell(live.run, final);
};

/** Only a folder that its keeper has surely left is used again. */
const dropFolder = ({ startFolders }: Scheduler, live: LiveStart, { record }: Ending): void => {
  const left = !live.adopted && record?.how !== undefined && record.how !== 'keeper-died';
  if (left) startFolders.recycle(live.folder);
  else startFolders.remove(live.folder);
};
