import type { ReadSample } from '../sample/read-sample.ts';

/** What was read of a run at one moment, and until when it is the newest reading. Seconds since the first sample's beginning. */
export interface Reading {
  readonly from: number;
  readonly to: number;
  readonly rss: number;
  /** Its cgroup's memory; null without one. */
  readonly current: number | null;
}

/** A time without samples; `between` starts nothing was there to sample. */
export interface Gap {
  readonly from: number;
  readonly to: number;
  readonly why: 'nobody' | 'between';
}

export interface Curve {
  /** Milliseconds since the epoch at which its time begins. */
  readonly begin: number;
  readonly seconds: number;
  readonly readings: readonly Reading[];
  readonly gaps: readonly Gap[];
}

/** Looks may be shared with others that were taken a little earlier. */
const slackSeconds = 0.5;

/** The sample at a start's end, when nothing of it was left. */
const isEnd = ({ mem, cgroup }: ReadSample): boolean => mem.rss === 0 && cgroup === null;

/**
 * The course of a run from its samples, in their order; null without any. Time goes by `dt`, which nobody sets; only a gap is measured by the
 * clock, and one that was set back makes none.
 */
export const curveOf = (samples: readonly ReadSample[]): Curve | null => {
  const [first] = samples;
  if (first === undefined) return null;
  const readings: Reading[] = [];
  const gaps: Gap[] = [];
  let now = 0;
  for (const [index, sample] of samples.entries()) {
    const before = samples[index - 1];
    const missing = before === undefined ? 0 : sample.t - sample.dt - before.t;
    if (before !== undefined && missing > slackSeconds) {
      gaps.push({ from: now, to: now + missing, why: isEnd(before) ? 'between' : 'nobody' });
      now += missing;
    }
    const reading = readings.at(-1);
    const goesOn = reading !== undefined && missing <= slackSeconds && before !== undefined && !isEnd(before);
    now += sample.dt;
    if (goesOn) readings[readings.length - 1] = { ...reading, to: now };
    if (!isEnd(sample))
      readings.push({ from: now, to: now, rss: sample.mem.rss, current: sample.cgroup?.current ?? null });
  }
  return { begin: (first.t - first.dt) * 1000, seconds: now, readings, gaps };
};
