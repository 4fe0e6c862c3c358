import type { Waiting } from '../machine/host-pressure.ts';
import type { SampleLine } from './sample-line.ts';

/** One minute of a machine, from the samples that fell into it. */
export interface Minute {
  /** Its beginning, in milliseconds since the epoch. */
  readonly at: number;
  readonly samples: number;
  /** Percent of all memory that was in use, on the mean. */
  readonly memory: number | null;
  /** The fullest file system at its fullest, in percent of what ordinary users may fill. */
  readonly disk: { readonly path: string; readonly percent: number } | null;
  /** Percent of the time that tasks waited for memory and for disks, on the mean. */
  readonly pressure: { readonly memory: Waiting; readonly io: Waiting };
}

/** The minutes that have ended, oldest first, and the samples of the one that goes on. */
export interface Minutes {
  readonly ended: readonly Minute[];
  readonly open: OpenMinute | null;
}

/** What a minute is made of; a line of samples has it. */
export type MinuteSample = Pick<SampleLine, 't' | 'disk'> & {
  readonly mem: Pick<SampleLine['mem'], 'total' | 'used'>;
  readonly psi: Pick<NonNullable<SampleLine['psi']>, 'memory' | 'io'> | null;
};

interface OpenMinute {
  readonly at: number;
  readonly samples: readonly MinuteSample[];
}

export const minuteMs = 60_000;
/** A day of them. */
export const minutesKept = 1440;

export const noMinutes: Minutes = { ended: [], open: null };

/**
 * With one more sample; `closed` is the minute that it ended, if any. A clock that was set back makes the minutes after the sample untrue:
 * they go, and the sample's own begins anew.
 */
export const withSample = (minutes: Minutes, sample: MinuteSample): { minutes: Minutes; closed: Minute | null } => {
  const at = Math.floor((sample.t * 1000) / minuteMs) * minuteMs;
  const { ended, open } = minutes;
  if (open !== null && open.at === at) {
    return { minutes: { ended, open: { at, samples: [...open.samples, sample] } }, closed: null };
  }
  const closed = open !== null && open.at < at ? minuteOf(open) : null;
  const before = ended.filter((minute) => minute.at < at);
  return { minutes: { ended: closed === null ? before : withMinute(before, closed), open: begin(at, sample) }, closed };
};

const begin = (at: number, sample: MinuteSample): OpenMinute => ({ at, samples: [sample] });

/** With one more that has ended: what came after it by a clock since set back is gone, and so is what is over a day old. */
export const withMinute = (ended: readonly Minute[], minute: Minute): Minute[] =>
  [...ended.filter(({ at }) => at < minute.at), minute].slice(-minutesKept);

/** The newest minute that is over by now; null without any. One that ends in the future was written by another clock. */
export const newestMinute = ({ ended, open }: Minutes, nowMs: number): Minute | null => {
  if (open !== null && open.at + minuteMs <= nowMs) return minuteOf(open);
  return ended.findLast(({ at }) => at + minuteMs <= nowMs) ?? null;
};

const minuteOf = ({ at, samples }: OpenMinute): Minute => ({
  at,
  samples: samples.length,
  memory: mean(samples.map(({ mem: { total, used } }) => (used === null ? null : percent(used, total)))),
  disk: fullest(samples.flatMap(({ disk }) => disk)),
  pressure: {
    memory: waiting(samples.map(({ psi }) => psi?.memory)),
    io: waiting(samples.map(({ psi }) => psi?.io)),
  },
});

const fullest = (disks: MinuteSample['disk']): Minute['disk'] => {
  let most: Minute['disk'] = null;
  for (const { path, used, free } of disks) {
    // As df counts: what is kept for root is nobody's.
    const share = percent(used, used + free);
    if (share !== null && (most === null || share > most.percent)) most = { path, percent: share };
  }
  return most;
};

const waiting = (all: readonly (Waiting | undefined)[]): Waiting => ({
  some: mean(all.map((one) => one?.some ?? null)),
  full: mean(all.map((one) => one?.full ?? null)),
});

const percent = (part: number, whole: number | null): number | null =>
  whole === null || whole <= 0 ? null : (100 * part) / whole;

const mean = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
};
