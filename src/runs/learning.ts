import { bytes, millis, type Bytes, type Millis } from '../units/brands.ts';

/**
 * What a command's earlier runs teach about its next one. Only a clean success teaches: what was killed or failed shows less than it
 * needed, and so does a success with killed children.
 */

/** So many of the newest successes count. */
export const successesKept = 10;

/** One clean success of a command. */
export interface Success {
  /** Resident, of the whole tree; null where nobody measured it, or where the limit may have kept it down. */
  readonly peakBytes: Bytes | null;
  readonly durationMs: Millis;
}

export interface Learned {
  /** What its next run is thought to need; null: no success told. */
  readonly memory: Bytes | null;
  /** How long it took as a rule: the median. */
  readonly typicalMs: Millis;
  /** How long the longest took. */
  readonly longestMs: Millis;
}

/** What the newest successes teach; null without any. The order does not matter. */
export const learnedFrom = (successes: readonly Success[]): Learned | null => {
  const durations = successes.map(({ durationMs }) => durationMs).toSorted((a, b) => a - b);
  const longestMs = durations.at(-1);
  const typicalMs = durations[durations.length >>> 1];
  if (longestMs === undefined || typicalMs === undefined) return null;
  const peaks = successes.flatMap(({ peakBytes }) => peakBytes ?? []);
  return { memory: peaks.length === 0 ? null : neededFor(Math.max(...peaks)), typicalMs, longestMs };
};

/** A tenth more than the highest peak, in whole steps: samples miss the last of a peak, and no two runs are quite alike. */
const neededFor = (peak: number): Bytes => bytes(Math.max(1, Math.ceil((peak * 1.1) / step)) * step);
const step = 16 * 1024 ** 2;

/** At the limit, within 5 %, more may have been needed than was had. */
const keptDownFrom = 0.95;

export const successOf = (end: {
  readonly peakBytes: Bytes | null;
  readonly limitBytes: Bytes | null;
  readonly startedAt: Millis;
  readonly endedAt: Millis;
}): Success => {
  const { peakBytes, limitBytes, startedAt, endedAt } = end;
  const keptDown = peakBytes !== null && limitBytes !== null && peakBytes >= limitBytes * keptDownFrom;
  return { peakBytes: keptDown ? null : peakBytes, durationMs: millis(Math.max(0, endedAt - startedAt)) };
};

/** With one success more, newest first. */
export const withSuccess = (known: readonly Success[], success: Success): readonly Success[] => [
  success,
  ...known.slice(0, successesKept - 1),
];
