import { MAX_MARKS, type Mark } from './mark.ts';

/** Aged marks as `[[age, rss, cpu, cpus], …]`; ages and CPU to the millisecond. */
export const marksJson = (marks: readonly Mark[]): string =>
  JSON.stringify(marks.map(({ at, rss, cpu, cpus }) => [milli(at), rss, milli(cpu), milli(cpus)]));

/** `marksJson`'s marks back, from a parsed value; what is no mark is left out, and of too many the last are kept. */
export const marksOf = (value: unknown): Mark[] =>
  Array.isArray(value) ? value.flatMap((row: unknown) => markOf(row)).slice(-MAX_MARKS) : [];

const markOf = (row: unknown): Mark[] => {
  if (!Array.isArray(row) || row.length !== 4) return [];
  const [at, rss, cpu, cpus] = row.map((n: unknown) => (typeof n === 'number' && Number.isFinite(n) ? n : null));
  if (at == null || rss == null || cpu == null || cpus == null || at < 0 || cpu < 0) return [];
  return [{ at, rss: rss < 0 ? -1 : rss, cpu, cpus: cpus < 0 ? -1 : cpus }];
};

const milli = (n: number): number => Math.round(n * 1000) / 1000;
