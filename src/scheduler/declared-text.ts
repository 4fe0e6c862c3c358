import { existsSync } from 'node:fs';
import { endHolds } from '../logs/end-holds.ts';
import { startsOf } from '../store/get-run.ts';
import type { Tx } from '../store/schema.ts';
import type { LiveStart } from './live-start.ts';
import type { Scheduler } from './scheduler.ts';
import { stageFile } from './staged-logs.ts';

/** The text of `--oom-text`, when the end of the start's standard error has it. Without one nothing is read. */
export const declaredText = async (
  scheduler: Scheduler,
  tx: Tx,
  { row, run, start }: LiveStart,
): Promise<string | null> => {
  const { text } = row.oom;
  if (text === null) return null;
  // The store's path: ORCA_LOGS may have been another one when the start was claimed.
  const log = (await startsOf(tx, run)).find((one) => one.start === start)?.stderr_path;
  if (log === undefined) return null;
  // Not in its log yet, where it went by way of the stage.
  const stage = stageFile(scheduler, run, start, 'stderr');
  return endHolds(existsSync(stage) ? stage : log, text) ? text : null;
};
