import type { Mark } from './mark.ts';

/** A shorter time cannot tell cores: the kernel counts CPU time in ticks of 10 ms. */
const shortestSeconds = 0.02;

/** The cores that were busy over the last `seconds` of a meter's marks, or over its whole life so far; null when there is too little of it. */
export const coresLately = (marks: readonly Mark[], seconds: number): number | null => {
  const last = marks.at(-1);
  if (last === undefined) return null;
  const from = marks.findLast(({ at }) => at <= last.at - seconds) ?? marks[0];
  if (from === undefined || last.at - from.at < shortestSeconds) return null;
  return Math.max(0, last.cpu - from.cpu) / (last.at - from.at);
};
