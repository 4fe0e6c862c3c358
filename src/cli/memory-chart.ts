import { formatDuration } from '../units/format-duration.ts';
import { formatSize } from '../units/format-size.ts';
import { largest } from './largest.ts';
import type { Curve } from './sample-curve.ts';

/** The limit that held for a while; seconds of the curve's time. */
export interface LimitSpan {
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
}

export interface ChartSize {
  /** Of the whole lines. */
  readonly width: number;
  /** Of the plot alone. */
  readonly height: number;
}

const eighths = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const labelWidth = 9;
/** A limit that is further off would press the curve to the floor; it is not drawn. */
const worthDrawing = 4;

/** One column of the plot; null where there is nothing to show. */
interface Column {
  readonly rss: number | null;
  readonly current: number | null;
  readonly limit: number | null;
  readonly gap: boolean;
}

/** Memory over time: resident as bars, the rest of its cgroup's shaded, the limit as a line, and dots below the times without samples. */
export const memoryChart = (curve: Curve, limits: readonly LimitSpan[], { width, height }: ChartSize): string[] => {
  const count = Math.max(10, width - labelWidth - 1);
  const most = largest(
    curve.readings.map(({ rss, current }) => Math.max(rss, current ?? 0)),
    1,
  );
  const near = limits.filter(({ bytes }) => bytes <= most * worthDrawing);
  const top = Math.max(most, ...near.map(({ bytes }) => bytes));
  const columns = columnsOf(curve, near, count);
  const rows = Array.from({ length: height }, (_, index) => {
    const row = height - 1 - index;
    const label =
      index === 0
        ? formatSize(top)
        : row === 0
          ? '0'
          : index === height >> 1
            ? formatSize((top * (row + 1)) / height)
            : '';
    return `${label.padStart(labelWidth - 1)} │${columns.map((column) => cell(column, row, top / height)).join('')}`.trimEnd();
  });
  const end = formatDuration(curve.seconds * 1000);
  // Also one that is shorter than a column.
  const floor = columns.map(({ gap }) => (gap ? '·' : '─')).join('');
  return [...rows, `${' '.repeat(labelWidth)}└${floor}`, `${' '.repeat(labelWidth)} 0${end.padStart(count - 1)}`];
};

const columnsOf = ({ seconds, readings, gaps }: Curve, limits: readonly LimitSpan[], count: number): Column[] => {
  const span = Math.max(seconds, 0.001) / count;
  return Array.from({ length: count }, (_, index) => {
    // The last one has what was read at the very end, too.
    const [from, to] = [index * span, index === count - 1 ? Number.POSITIVE_INFINITY : (index + 1) * span];
    const inside = <T extends { from: number; to: number }>(all: readonly T[]): T[] =>
      all.filter((one) => one.from < to && (one.to > from || one.from >= from));
    const seen = inside(readings);
    const most = (values: readonly (number | null)[]): number | null => {
      const known = values.filter((value) => value !== null);
      return known.length === 0 ? null : largest(known, 0);
    };
    return {
      rss: most(seen.map(({ rss }) => rss)),
      current: most(seen.map(({ current }) => current)),
      limit: inside(limits).at(-1)?.bytes ?? null,
      gap: inside(gaps).length > 0,
    };
  });
};

/** What a column shows between `row` and the next, each `step` bytes high. */
const cell = ({ rss, current, limit }: Column, row: number, step: number): string => {
  const filled = (rss ?? 0) / step - row;
  // Something that is there is never nothing.
  const least = row === 0 && (rss ?? 0) > 0 ? 1 : 0;
  const eighth = Math.max(least, Math.min(8, Math.round(filled * 8)));
  if (eighth > 0) return eighths[eighth] ?? '█';
  if ((current ?? 0) / step - row >= 0.5) return '░';
  if (limit !== null && Math.ceil(limit / step) - 1 === row) return '─';
  return ' ';
};
