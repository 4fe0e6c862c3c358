/** One sample of a process tree (seed 003). -1 means none, as in the seed. */
export interface Mark {
  /** Seconds on the monotonic clock in a `Meter`; seconds before now once aged. */
  readonly at: number;
  /** The most resident bytes sampled since the mark before; -1 at the start and at the end. */
  readonly rss: number;
  /** CPU seconds so far. */
  readonly cpu: number;
  /** The most cores busy over one sample's interval since the mark before. */
  readonly cpus: number;
}

/** What an attempt used; null for what is not known. */
export interface Usage {
  readonly peakRssBytes: number | null;
  readonly cpuSeconds: number | null;
  readonly peakCpus: number | null;
}

export const nothingKnown: Usage = Object.freeze({ peakRssBytes: null, cpuSeconds: null, peakCpus: null });

/** The most marks that a meter keeps; past it, neighbours are merged. */
export const MAX_MARKS = 1024;
/** The least time between two samples of one process, in seconds. */
export const MIN_SAMPLE_SECONDS = 0.25;
