import { nothingKnown, type Mark, type Usage } from './mark.ts';

/** An attempt that the process made, in seconds before now. */
export interface AttemptSpan {
  readonly started: number;
  /** -1 if it had not ended when the process did. */
  readonly ended: number;
}

/**
 * Each attempt's share of a process's marks (aged, oldest first, the start first and the end last), in the attempts' order.
 * `maxRss` is `wait4`'s largest process, -1 for unknown: it raises the peak of a process's only attempt.
 */
export const attribute = (marks: readonly Mark[], maxRss: number, attempts: readonly AttemptSpan[]): Usage[] => {
  const only = attempts.length === 1;
  const end = marks.at(-1);
  if (!marks.some(({ rss }) => rss >= 0)) {
    const word = {
      ...nothingKnown,
      peakRssBytes: known(maxRss),
      cpuSeconds: end === undefined ? null : known(end.cpu),
    };
    return attempts.map(() => (only && maxRss >= 0 ? word : nothingKnown));
  }
  return attempts.map((attempt) => {
    const ended = attempt.ended < 0 ? (end?.at ?? 0) : attempt.ended;
    const span = { started: Math.max(attempt.started, ended), ended };
    const peak = peakWhile(marks, span);
    return {
      peakRssBytes: known(only ? Math.max(peak, maxRss) : peak),
      cpuSeconds: Math.max(0, cpuAt(marks, span.ended) - cpuAt(marks, span.started)),
      peakCpus: busiest(marks, span),
    };
  });
};

/** The largest sample while it ran; for an attempt between two samples, the one just after it. */
const peakWhile = (marks: readonly Mark[], { started, ended }: AttemptSpan): number => {
  const samples = marks.filter(({ rss }) => rss >= 0);
  const within = samples.filter(({ at }) => at <= started && at >= ended);
  if (within.length > 0) return Math.max(...within.map(({ rss }) => rss));
  return samples.find(({ at }) => at < ended)?.rss ?? -1;
};

/** The total at a moment: between two marks it grows evenly, so what neighbours get never sums to more than was used. */
const cpuAt = (marks: readonly Mark[], age: number): number => {
  const later = marks.findIndex(({ at }) => at <= age);
  const after = later < 0 ? marks.at(-1) : marks[later];
  const before = later <= 0 ? undefined : marks[later - 1];
  if (after === undefined) return 0;
  if (before === undefined || before.at <= after.at || after.at === age) return after.cpu;
  return before.cpu + ((after.cpu - before.cpu) * (before.at - age)) / (before.at - after.at);
};

/** The most cores over the sample intervals that it overlapped. */
const busiest = (marks: readonly Mark[], { started, ended }: AttemptSpan): number | null => {
  let most = -1;
  for (const [i, mark] of marks.entries()) {
    const before = marks[i - 1];
    if (before === undefined) continue;
    const overlaps = before.at > ended && mark.at < started;
    const inside = started === ended && before.at >= ended && mark.at <= started;
    if (overlaps || inside) most = Math.max(most, mark.cpus);
  }
  return known(most);
};

const known = (n: number): number | null => (n < 0 ? null : n);
