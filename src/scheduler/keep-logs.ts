import { existsSync, readdirSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { cutLog } from '../logs/cut-log.ts';
import { addToDriver } from '../logs/driver-log.ts';
import { dropNotes, keepLog, keptFile } from '../logs/keep-log.ts';
import { stagedStart } from '../logs/stage-folder.ts';
import { SecretFailure } from '../secrets/secret-failure.ts';
import { settingsForRun } from '../settings/run-settings.ts';
import { getRunWithStarts } from '../store/get-run.ts';
import type { Run } from '../store/run.ts';
import { bytesOfMib, millis, runId, type RunId } from '../units/brands.ts';
import { errorWords } from './error-words.ts';
import { tellFound } from './found-output.ts';
import { FirstTries } from './first-tries.ts';
import type { LiveStart } from './live-start.ts';
import { moveLogs } from './move-logs.ts';
import type { Scheduler } from './scheduler.ts';
import { allStages, isStillStaged, stageFile, stageOf, startKey } from './staged-logs.ts';
import { LostValues, maskOf, printsOf } from './start-masks.ts';
import { logFilesOf } from './state-folder.ts';

const streams = ['stdout', 'stderr'] as const;
const firstAgainMs = 2000;
const lastAgainMs = 300_000;
/** Outputs on their way from the stage to their logs. */
export class LogKeeping {
  /** Stages of earlier daemons in which something of this one's runs may still be. */
  olderStages: readonly string[] = [];
  /** Of a run one start after the other. */
  readonly going = new Map<RunId, Promise<void>>();
  readonly firstTries = new FirstTries();
  /** Starts whose outputs could not be kept, by `run.start`, and why. */
  readonly failed = new Map<string, Failed>();
  /** When what could not be kept is tried again, and after how long the next time. */
  cancelAgain: (() => void) | null = null;
  againMs = firstAgainMs;

  /** What is done to the logs of a run that are over is done one after the other. */
  inTurn(run: RunId, act: () => Promise<void>): Promise<void> {
    const before = this.going.get(run) ?? Promise.resolve();
    const work = before
      .catch(() => undefined)
      .then(act)
      .finally(() => {
        if (this.going.get(run) === work) this.going.delete(run);
      });
    this.going.set(run, work);
    return work;
  }
}

export interface Failed {
  readonly run: RunId;
  readonly start: number;
  readonly why: string;
  /** Where they are. */
  readonly folder: string;
}

type Kept = Pick<Run, 'id' | 'secrets' | 'settings'>;
type Ended = Pick<LiveStart, 'start' | 'logs'>;

/**
 * When a start is over: takes its outputs from the stage into their logs, cuts what is over its cap, and adds what came from the stage to the run's
 * `driver.log`. What cannot be kept stays in the stage, is said, and is tried again. `mayBeStaged`: false for
 * outputs that surely never were there.
 */
export const keepLogs = (scheduler: Scheduler, run: Kept, ended: Ended, mayBeStaged = true): void => {
  const { start, logs } = ended;
  const max = bytesOfMib(settingsForRun(scheduler.settings, run.settings).get('ORCA_LOG_MAX_MB'));
  const isLarge = (log: string): boolean => (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > max;
  const large = max > 0 && streams.some((stream) => isLarge(logs[stream]));
  if (!large && !(mayBeStaged && isStillStaged(scheduler, run.id, start))) {
    if (mayBeStaged) void forgetStaged(scheduler, run, start);
    return moveLogs(scheduler, run.id);
  }
  const { failed, firstTries } = scheduler.logKeeping;
  const work = scheduler.logKeeping.inTurn(run.id, () => keepAll(scheduler, run, ended, max));
  if (!failed.has(startKey(run.id, start))) firstTries.add(run.id, work, scheduler.host.timers);
};

/** Output of a start that is over lies in the stage, and nobody is to bring it into its log: it was moved away, and put back. */
export const keepFound = (scheduler: Scheduler, run: Kept, ended: Ended): void => {
  const { going, failed } = scheduler.logKeeping;
  const isMinded = scheduler.closing || going.has(run.id) || failed.has(startKey(run.id, ended.start));
  if (!isMinded && isStillStaged(scheduler, run.id, ended.start)) keepLogs(scheduler, run, ended);
};

/** Between the end of a start in the store and what follows from it. */
const followsWithinMs = millis(20);

/** Until outputs of a run that is over are in their logs, or the first try of that is over; null: none of them is on its way. */
export const outputsArriving = ({ logKeeping, live, host }: Scheduler, run: RunId): Promise<void> | null => {
  const first = logKeeping.firstTries.of(run);
  if (first !== null) return first;
  const ending = live.get(run);
  if (ending?.ending !== true || !ending.staged) return null;
  return new Promise((resolve) => void host.timers.set(followsWithinMs, resolve));
};

/** Nothing of a start's outputs waits any more: what masked them, and what its secrets were known by, is not needed. */
const forgetStaged = async (scheduler: Scheduler, { id: run, secrets }: Kept, start: number): Promise<void> => {
  scheduler.masks.delete(startKey(run, start));
  scheduler.logKeeping.failed.delete(startKey(run, start));
  if (Object.keys(secrets).length > 0)
    await rm(printsOf(scheduler, run, start), { force: true }).catch(() => undefined);
};

const keepAll = async (scheduler: Scheduler, run: Kept, { start, logs }: Ended, max: number): Promise<void> => {
  const stages = streams.map((stream) => ({ stream, stage: stageFile(scheduler, run.id, start, stream) }));
  const { failed } = scheduler.logKeeping;
  try {
    for (const { stream, stage } of stages.filter((one) => existsSync(one.stage))) {
      const { open } = await maskOf(scheduler, run, start);
      await keepLog({ stage, log: logs[stream], open, mark: true });
    }
    for (const stream of streams) await cutLog(logs[stream], max);
    const kept = stages.filter((one) => existsSync(keptFile(one.stage)));
    await tellFound(scheduler, run.id, start, kept);
    for (const { stream, stage } of kept) {
      await dropNotes(stage, logs[stream]);
      await addToDriver(dirname(logs[stream]), `${start}.${stream}`);
      await rm(keptFile(stage));
    }
    await forgetStaged(scheduler, run, start);
    moveLogs(scheduler, run.id);
  } catch (error) {
    const why = error instanceof SecretFailure || isSystem(error) ? errorWords(error) : 'an unknown error';
    const folder = stageOf(scheduler, run.id, start);
    const next = error instanceof LostValues ? `\`orca logs ${run.id}\` says what can be done` : 'is tried again';
    if (!failed.has(startKey(run.id, start)))
      scheduler.log.error(
        { run: run.id, start, why },
        `output of a start could not be brought into its log: what is in ${folder} stays there, and ${next}`,
      );
    failed.set(startKey(run.id, start), { run: run.id, start, why, folder });
    if (error instanceof LostValues) lookLater(scheduler, run, { start, logs });
    else tryAgain(scheduler);
  }
};

/** A person may take it into its log by hand: what follows from that is done then. */
const lookLater = (scheduler: Scheduler, run: Kept, ended: Ended): void => {
  scheduler.host.timers.set(millis(lastAgainMs), () => {
    if (!scheduler.closing) keepLogs(scheduler, run, ended);
  });
};

/** A full disk gets room, a secret can be had again. */
const tryAgain = (scheduler: Scheduler): void => {
  const { logKeeping } = scheduler;
  if (logKeeping.cancelAgain !== null || scheduler.closing) return;
  const again = async (): Promise<void> => {
    logKeeping.cancelAgain = null;
    await resumeLogs(scheduler);
    await Promise.allSettled(logKeeping.going.values());
    if (logKeeping.cancelAgain === null) logKeeping.againMs = firstAgainMs;
  };
  logKeeping.cancelAgain = scheduler.host.timers.set(millis(logKeeping.againMs), () => {
    again().catch((error: unknown) => scheduler.log.error({ err: error }, 'the stage could not be looked at'));
  });
  logKeeping.againMs = Math.min(logKeeping.againMs * 2, lastAgainMs);
};

/** Of which starts something is in the stage, one entry for each file. */
export const stagedStarts = (scheduler: Scheduler): { readonly run: number; readonly start: number }[] =>
  allStages(scheduler)
    .flatMap(namesIn)
    .map((name) => stagedStart(scheduler.state.named, name))
    .filter((output) => output !== null);

/** What was not finished, by an earlier daemon or for want of room. */
export const resumeLogs = async (scheduler: Scheduler): Promise<void> => {
  const starts = new Map(stagedStarts(scheduler).map((output) => [startKey(output.run, output.start), output]));
  for (const { run, start } of [...starts.values()].sort((a, b) => a.run - b.run || a.start - b.start)) {
    if (scheduler.closing) return;
    const known = await getRunWithStarts(scheduler.store.read, runId(run));
    const row = known?.starts.find((one) => one.start === start);
    if (known !== null && (row?.state === 'ended' || row?.state === 'void'))
      keepLogs(scheduler, known.run, { start, logs: logFilesOf(row) });
  }
};

/** What waits in the stage though it was tried to bring it into its log. */
export const waitingOutputs = (scheduler: Scheduler): Failed[] =>
  [...scheduler.logKeeping.failed.values()].filter(({ run, start }) => isStillStaged(scheduler, run, start));

/** Why outputs of a start still wait in the stage; null: they do not, or are on their way. */
export const whyWaiting = (scheduler: Scheduler, run: RunId, start: number): string | null => {
  const failed = scheduler.logKeeping.failed.get(startKey(run, start));
  return failed !== undefined && isStillStaged(scheduler, run, start) ? failed.why : null;
};

const isSystem = (error: unknown): boolean => error instanceof Error && 'syscall' in error;

export const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};
