import { statfsSync } from 'node:fs';
import { OrcaError } from '../errors/orca-error.ts';
import type { StoredRun } from '../store/run.ts';
import type { Scheduler } from './scheduler.ts';
import { isStaged, ownStage } from './staged-logs.ts';

/** A keeper takes 24 KiB before it begins; several may do so at the same moment. */
const leastRoom = 256 * 1024;
/** With less the outputs of a run that goes by way of the stage would soon be lost. */
const leastStage = 1024 * 1024;
const leastFiles = 8;
/** What is left where a program could write nothing more: blocks may be larger than what it wanted to write. */
const asGoodAsNone = 64 * 1024;

/**
 * Throws when the state folder has no room for the records of another start. The keeper would refuse it, which ends the run; asked before
 * the start is claimed, it waits instead.
 */
export const checkStartRoom = (path: string): void => {
  if (roomAt(path).bytes < leastRoom) {
    throw new OrcaError('state-full', { path, why: 'less than 256 KiB is left, which starts need for their records' });
  }
};

/** Throws when a run's outputs would go by way of the stage, and that has no room: it waits instead of losing them. */
export const checkStageRoom = (scheduler: Pick<Scheduler, 'settings'>, row: StoredRun): void => {
  if (isStaged(scheduler, { row }) && isStageFull(scheduler)) {
    throw new OrcaError('stage-full', { path: ownStage(scheduler) });
  }
};

/** Whether runs wait for room in the stage. */
export const isStageFull = (scheduler: Pick<Scheduler, 'settings'>): boolean => {
  const room = stageRoom(ownStage(scheduler));
  return room.bytes < leastStage || room.files < leastFiles;
};

/** Whether a program could write nothing more to a stage, or to logs. */
export const isUsedUp = (folder: string): boolean => {
  const { bytes, files } = stageRoom(folder);
  return bytes < asGoodAsNone || files <= 0;
};

interface Room {
  readonly bytes: number;
  readonly files: number;
}

/** Of a stage that cannot be looked at something else is told. */
const stageRoom = (folder: string): Room => {
  try {
    return roomAt(folder);
  } catch {
    return { bytes: Infinity, files: Infinity };
  }
};

/** A file system that counts no blocks, or no files, has no such bound. */
const roomAt = (path: string): Room => {
  const { bsize, blocks, bavail, bfree, files, ffree } = statfsSync(path);
  return {
    bytes: blocks > 0 ? (process.getuid?.() === 0 ? bfree : bavail) * bsize : Infinity,
    files: files > 0 ? ffree : Infinity,
  };
};
