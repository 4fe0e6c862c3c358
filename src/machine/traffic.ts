/** Bytes that went in and out since some beginning: received and sent, or read and written. */
export interface Traffic {
  readonly in: number;
  readonly out: number;
}

/** By the name of a disk or an interface. */
export type Counters = ReadonlyMap<string, Traffic>;

/**
 * Whole bytes a second between two readings, summed over what is in both. A counter that went back (it wrapped, or its device is another one)
 * counts as nothing, so a rate is never negative.
 */
export const perSecond = (before: Counters, now: Counters, seconds: number): Traffic => {
  const sum = { in: 0, out: 0 };
  if (!(seconds > 0)) return sum;
  for (const [name, counter] of now) {
    const earlier = before.get(name);
    if (earlier === undefined) continue;
    sum.in += Math.max(0, counter.in - earlier.in);
    sum.out += Math.max(0, counter.out - earlier.out);
  }
  return { in: Math.round(sum.in / seconds), out: Math.round(sum.out / seconds) };
};
