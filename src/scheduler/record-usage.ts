import { attemptsOfOwn, writeAttemptUsage } from '../store/attempt-usage.ts';
import type { Tx } from '../store/schema.ts';
import { attribute } from '../usage/attribute.ts';
import type { Mark } from '../usage/mark.ts';
import { bytes, type Millis, type RunId } from '../units/brands.ts';

/** What whoever ran a start's process measured of it. */
export interface UsageReport {
  readonly run: RunId;
  readonly start: number;
  /** Its `ORCA_START`: proves that the start is the reporter's own. */
  readonly uuid: string;
  /** In seconds before the report, so that the reporter's clock does not matter. */
  readonly marks: readonly Mark[];
  /** `wait4`'s, in bytes; -1 for unknown. */
  readonly maxRss: number;
}

/**
 * Writes to each attempt that the process of a start made its share of what was measured, and gives how many that were (seed 003: record).
 * It belongs before the end of the start is stored: a report for a start that is over, or another's, changes nothing.
 */
export const recordUsage = async (tx: Tx, { marks, maxRss, ...own }: UsageReport, now: Millis): Promise<number> => {
  const attempts = await attemptsOfOwn(tx, own);
  const ageOf = (at: Millis): number => Math.max(0, now - at) / 1000;
  const spans = attempts.map(({ started_at: started, ended_at: ended }) => ({
    started: ageOf(started),
    ended: ended === null ? -1 : ageOf(ended),
  }));
  let written = 0;
  for (const [index, usage] of attribute(marks, maxRss, spans).entries()) {
    const attempt = attempts[index];
    if (attempt === undefined) continue;
    const peak = usage.peakRssBytes;
    const columns = {
      peak_rss_bytes: peak === null ? null : bytes(peak),
      cpu_seconds: usage.cpuSeconds,
      peak_cpus: usage.peakCpus,
    };
    const { run, start, step, n } = attempt;
    if (await writeAttemptUsage(tx, { run, start, step, n }, columns)) written += 1;
  }
  return written;
};
