export interface Interval {
  readonly start: number;
  readonly end: number;
}

/** Adds a part to parts that lie apart and in order; those that overlap or touch become one. Quick where it belongs near the end. */
export const addInterval = (list: Interval[], start: number, end: number): void => {
  let to = list.length;
  while (to > 0 && (list[to - 1]?.start ?? 0) > end) to -= 1;
  let from = to;
  let merged: Interval = { start, end };
  for (let other = list[from - 1]; other !== undefined && other.end >= start; other = list[from - 1]) {
    merged = { start: Math.min(merged.start, other.start), end: Math.max(merged.end, other.end) };
    from -= 1;
  }
  list.splice(from, to - from, merged);
};

/** Forgets what ends at or before an offset. */
export const dropIntervals = (list: Interval[], offset: number): void => {
  let count = 0;
  for (let next = list[0]; next !== undefined && next.end <= offset; next = list[count]) count += 1;
  list.splice(0, count);
};
