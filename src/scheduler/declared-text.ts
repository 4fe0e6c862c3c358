import { endHolds } from '../logs/end-holds.ts';
import { startsOf } from '../store/get-run.ts';
import type { Tx } from '../store/schema.ts';
import type { LiveStart } from './live-start.ts';

/** The text of `--oom-text`, when the end of the start's standard error has it. Without one nothing is read. */
export const declaredText = async (tx: Tx, { row, run, start }: LiveStart): Promise<string | null> => {
  const { text } = row.oom;
  if (text === null) return null;
  // The store's path: ORCA_LOGS may have been another one when the start was claimed.
  const log = (await startsOf(tx, run)).find((one) => one.start === start)?.stderr_path;
  return log !== undefined && endHolds(log, text) ? text : null;
};
