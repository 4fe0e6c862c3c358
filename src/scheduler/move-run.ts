import { existsSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { cutLog } from '../logs/cut-log.ts';
import { readGone } from '../logs/gone.ts';
import { timesKey } from '../logs/object-log.ts';
import { removeRunFolder } from '../logs/run-folders.ts';
import type { Stream } from '../logs/stage-folder.ts';
import { timeFile } from '../logs/time-file.ts';
import { FileFailure, ObjectFailure } from '../objects/object-failure.ts';
import type { ObjectStorage } from '../objects/object-storage.ts';
import { isFinal } from '../runs/transitions.ts';
import { settingsForRun } from '../settings/run-settings.ts';
import { getRunWithStarts } from '../store/get-run.ts';
import { movedLogsOf, type MovedLogs } from '../store/json-columns.ts';
import { storeMoved } from '../store/moved-logs.ts';
import type { Run } from '../store/run.ts';
import type { StartRow } from '../store/schema.ts';
import { bytesOfMib, type RunId } from '../units/brands.ts';
import type { MovedLog } from '../units/moved-log.ts';
import { keyBelow, type ObjectAddress } from '../units/object-address.ts';
import { errorWords } from './error-words.ts';
import { ensureOurs } from './log-owner.ts';
import type { MoveFailure, MoveOutcome } from './move-holds.ts';
import { baseOfLogs, logName, placeOfLogs } from './moved-logs.ts';
import type { Scheduler } from './scheduler.ts';
import { isStillStaged } from './staged-logs.ts';

const streams = ['stdout', 'stderr'] as const;

/** Of one run. */
interface Moving {
  readonly scheduler: Scheduler;
  readonly run: Run;
  readonly signal: AbortSignal;
  /** The places that took something. */
  readonly sent: Set<string>;
}

/**
 * Moves what a run's starts that are over have written to where it goes, and what else lies with it once the run is over. A file goes only when the
 * storage has all of it and the store says so on disk; whatever ends in between leaves a file that is sent again, whole, to the same name. Outputs
 * that are not masked yet are not in these files. What cannot go to one place keeps nothing from another.
 */
export const moveRun = async (scheduler: Scheduler, id: RunId, signal: AbortSignal): Promise<MoveOutcome> => {
  const outcome = { sent: new Set<string>(), failures: [] as MoveFailure[], away: new Set<string>() };
  const found = await getRunWithStarts(scheduler.store.read, id);
  if (found === null) return outcome;
  const moving: Moving = { scheduler, run: found.run, signal, sent: outcome.sent };
  const settled = found.starts.filter(({ start }) => !isStillStaged(scheduler, id, start));
  const ready = settled.filter((start) => start.state === 'ended' && placeOfLogs(start) !== null);
  // One that was never begun has written nothing.
  const isDone = (start: StartRow): boolean =>
    moved.includes(start) || (start.state === 'void' && settled.includes(start));
  const attempt = async (
    start: StartRow,
    act: (moving: Moving, start: StartRow) => Promise<void>,
  ): Promise<boolean> => {
    const to = goalOf(start);
    try {
      await act(moving, start);
      return true;
    } catch (error) {
      if (error instanceof LeftAlone && to !== null) outcome.away.add(to);
      else outcome.failures.push(failureOf(to, error));
      return false;
    }
  };
  const moved: StartRow[] = [];
  for (const start of ready) if (await attempt(start, sendStart)) moved.push(start);
  const last = moved.at(-1);
  const isWhole = isFinal(found.run.state) && found.starts.every(isDone);
  if (isWhole && last !== undefined && (await attempt(last, sendRest))) {
    await removeRunFolder(dirname(last.stdout_path));
  } else for (const start of moved) await removeFiles(start);
  return outcome;
};

/** Its place is away, as others have found. */
class LeftAlone extends Error {}

/** The setting that a start's logs go by. */
const goalOf = ({ logs_to: to, run }: StartRow): string | null => (to === null ? null : baseOfLogs(to, run));

/** A place that answers with an error, or not at all, does so for others too. */
const failureOf = (to: string | null, error: unknown): MoveFailure => ({
  to,
  isAway: error instanceof ObjectFailure && !(error instanceof FileFailure),
  why: errorWords(error),
});

const sendStart = async (moving: Moving, start: StartRow): Promise<void> => {
  const { scheduler, run } = moving;
  const max = bytesOfMib(settingsForRun(scheduler.settings, run.settings).get('ORCA_LOG_MAX_MB'));
  const known = movedLogsOf(start.moved_logs);
  // Rather than nothing in its place: somebody may still make sense of it.
  if (known === 'damaged' && !streams.some((stream) => existsSync(start[`${stream}_path`]))) return;
  const before = known === 'damaged' ? null : known;
  const moved: MovedLogs = {
    stdout: await sendLog(moving, start, 'stdout', { before, max }),
    stderr: await sendLog(moving, start, 'stderr', { before, max }),
  };
  const text = JSON.stringify(moved);
  if (text !== start.moved_logs) {
    const stored = { run: run.id, start: start.start, moved: text };
    await scheduler.store.command((tx) => storeMoved(tx, stored), { durable: true });
  }
  for (const stream of streams) await checkSame(start[`${stream}_path`], moved[stream]);
};

/** Nobody writes to it any more; what somebody wrote all the same is not deleted. */
const checkSame = async (file: string, { bytes }: MovedLog): Promise<void> => {
  const size = (await statOrNull(file))?.size ?? null;
  if (size !== null && size !== bytes) throw new FileFailure(`${file} was written to after its start was over`);
};

interface KnownLog {
  readonly before: MovedLogs | null;
  readonly max: number;
}

/** What is empty gets no object. */
const sendLog = async (moving: Moving, start: StartRow, stream: Stream, known: KnownLog): Promise<MovedLog> => {
  const file = start[`${stream}_path`];
  await moving.scheduler.logKeeping.inTurn(start.run, () => cutWhereDue(file, known.max));
  const { ino, size } = (await statOrNull(file)) ?? { ino: 0, size: null };
  if (size === null && known.before !== null) return known.before[stream];
  if (size === null || size === 0) return { bytes: 0, gone: null, times: false };
  const gone = await readGone(file);
  if (gone !== null && gone.cut?.inode !== ino) throw new FileFailure(`${file} is not whole: a part of it is a hole`);
  const before = known.before?.[stream].bytes ?? 0;
  if (size < before) throw new FileFailure(`${file} is shorter than what was moved of it before`);
  const name = logName(start.start, stream);
  const bytes = await send(moving, start, name, file);
  const times = ((await statOrNull(timeFile(file)))?.size ?? 0) > 0;
  if (times) await send(moving, start, timesKey(name), timeFile(file));
  const cut = gone?.cut == null ? null : { from: gone.from, to: gone.to, line: gone.cut.line };
  return { bytes, gone: cut, times };
};

/** A daemon that died may have left it undone; so may one that kept less than this one would. */
const cutWhereDue = async (file: string, max: number): Promise<void> => {
  const isHole = max === 0 && (await readGone(file)) !== null;
  await cutLog(file, isHole ? Number.MAX_SAFE_INTEGER : max);
};

/** `driver.log` and the samples: they grow as long as the run is not over. */
const sendRest = async (moving: Moving, last: StartRow): Promise<void> => {
  const folder = dirname(last.stdout_path);
  const samples = await readdir(join(folder, 'metrics')).catch(() => []);
  for (const name of ['driver.log', ...samples.filter(isSamples).map((file) => `metrics/${file}`)]) {
    const file = join(folder, name);
    if (((await statOrNull(file))?.size ?? 0) > 0) await send(moving, last, name, file);
  }
};

const isSamples = (name: string): boolean => /^[\w-]+\.jsonl$/.test(name);

const send = async (moving: Moving, start: StartRow, name: string, file: string): Promise<number> => {
  const { scheduler, signal } = moving;
  const place = placeOfLogs(start);
  const to = goalOf(start);
  if (place === null || to === null) throw new FileFailure(`${start.logs_to} is no address`);
  if (scheduler.logMoving.holds.isHeld(start.run, to)) throw new LeftAlone();
  const storage = storageOf(scheduler, place);
  await ensureOurs(scheduler, storage, place, signal);
  signal.throwIfAborted();
  const bytes = await storage.upload(keyBelow(place, name), file, signal);
  moving.sent.add(to);
  return bytes;
};

const storageOf = ({ logMoving, env }: Scheduler, { bucket }: ObjectAddress): ObjectStorage =>
  logMoving.storage(bucket, env);

/** Of one start, and after it what is noted beside it. */
const removeFiles = async (start: StartRow): Promise<void> => {
  const folder = dirname(start.stdout_path);
  const own = streams.map((stream) => logName(start.start, stream));
  for (const name of own) await rm(join(folder, name), { force: true });
  for (const name of await readdir(folder).catch(() => []))
    if (own.some((log) => name === log || name.startsWith(`${log}.`))) await rm(join(folder, name), { force: true });
};

const statOrNull = async (file: string): Promise<{ readonly ino: number; readonly size: number } | null> => {
  try {
    return await stat(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
};
