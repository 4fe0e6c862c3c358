import type { ReadSample } from '../sample/read-sample.ts';
import { formatDuration } from '../units/format-duration.ts';
import { formatSize } from '../units/format-size.ts';
import { shellWords } from '../units/shell-words.ts';
import { visibleText } from '../units/visible-text.ts';
import type { RunJson } from '../wire/api.ts';
import { isFinalState } from './final-state.ts';
import { largest } from './largest.ts';
import { memoryChart, type LimitSpan } from './memory-chart.ts';
import { curveOf, type Curve } from './sample-curve.ts';
import { cut } from './table.ts';
import { outcomeWords, usageWords } from './words.ts';

const chartHeight = 10;

/**
 * What a run used over time, for a person: a summary and the chart of its memory, no wider than `width`. `unread`: lines of its file that
 * are no samples.
 */
export function metricsLines(run: RunJson, samples: readonly ReadSample[], width: number, unread = 0): string[] {
  const curve = curveOf(samples);
  const facts: [string, string | null][] = [
    ['run', `${run.id}${run.name === null ? '' : ` (${visibleText(run.name)})`}: ${shellWords(run.argv)}`],
    ['state', visibleText(outcomeWords(run))],
    ['samples', samplesWords(run, { count: samples.length, unread }, curve)],
    ['memory', memoryWords(run, curve)],
    ['used', usageWords(run) || null],
    ['machine', machineWords(samples)],
    ...gapLines(run, curve).map((words): [string, string] => ['gap', words]),
  ];
  const lines = facts.flatMap(([name, value]) => (value === null ? [] : [cut(`${name.padEnd(8)} ${value}`, width)]));
  if (curve === null || curve.readings.length === 0) return lines;
  const limits = limitSpans(run, curve);
  const legend = [
    '█ resident',
    ...(curve.readings.some(({ current }) => current !== null) ? ['░ its page cache and the like'] : []),
    ...(limits.length > 0 ? ['─ limit'] : []),
    ...(curve.gaps.length > 0 ? ['· no samples'] : []),
  ];
  return [...lines, '', ...memoryChart(curve, limits, { width, height: chartHeight }), cut(legend.join('   '), width)];
}

function samplesWords(run: RunJson, { count, unread }: { count: number; unread: number }, curve: Curve | null): string {
  const broken = unread === 0 ? [] : [unreadWords(unread)];
  if (curve !== null) return [`${count} over ${formatDuration(curve.seconds * 1000)}`, ...broken].join('; ');
  if (unread > 0) return `none: ${unreadWords(unread)}`;
  if (run.state === 'queued') return 'none: it has not started yet';
  return 'none: it was over at once, its logs were deleted, or samples are off';
}

/** Of a file that was cut, or written over by somebody else. */
export const unreadWords = (count: number): string =>
  `${count} line${count === 1 ? '' : 's'} of its file of samples could not be read`;

function memoryWords(run: RunJson, curve: Curve | null): string | null {
  const last = curve?.readings.at(-1);
  if (curve === null || last === undefined) return null;
  const most = largest(
    curve.readings.map(({ rss }) => rss),
    0,
  );
  const held = curve.readings.flatMap(({ current }) => (current === null ? [] : [current]));
  const limit = limitSpans(run, curve).at(-1);
  return [
    // First, since the line may be cut at its end.
    ...(limit === undefined ? [] : [`limit ${formatSize(limit.bytes)}`]),
    ...(isFinalState(run.state) ? [] : [`now ${formatSize(last.rss)}`]),
    `at most ${formatSize(most)} in the samples`,
    ...(held.length === 0 ? [] : [`${formatSize(largest(held, 0))} with page cache`]),
  ].join(', ');
}

function machineWords(samples: readonly ReadSample[]): string | null {
  const shares = samples.flatMap(({ mem: { used, total } }) =>
    used === null || total === null || total === 0 ? [] : [(100 * used) / total],
  );
  if (shares.length === 0) return null;
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  const waited = largest(
    samples.map(({ psi }) => psi?.memory.some ?? 0),
    0,
  );
  const stall = waited === 0 ? '' : `; tasks waited for memory up to ${waited.toFixed(1)} % of the time`;
  return `${mean.toFixed(0)} % of its memory in use, at most ${largest(shares, 0).toFixed(0)} %${stall}`;
}

function gapLines(run: RunJson, curve: Curve | null): string[] {
  if (curve === null) return [];
  const gaps = curve.gaps.filter(({ why }) => why === 'nobody').map(({ from, to }) => gapWords(curve, from, to));
  const ended = run.ended_at;
  const missing = ended === null ? 0 : (ended - curve.begin) / 1000 - curve.seconds;
  // An end that somebody saw leaves a sample.
  const unseen = missing > 1 ? [`the last ${formatDuration(missing * 1000)} are missing: no daemon was there`] : [];
  return [...gaps, ...unseen];
}

const gapWords = ({ begin }: Curve, from: number, to: number): string =>
  `${formatDuration((to - from) * 1000)} from ${utc(begin + from * 1000)}: no daemon was there`;

/** Only of starts that have one to keep to: what is stored for a run without `--memory` and cgroup is what it counts as. */
function limitSpans({ request, starts }: RunJson, { begin, seconds }: Curve): LimitSpan[] {
  return starts.flatMap(({ limit_bytes: bytes, cap_bytes: cap, started_at: from, ended_at: to }) => {
    if (bytes === null || from === null || (request.memory_min_bytes === null && cap === null)) return [];
    return [{ from: (from - begin) / 1000, to: to === null ? seconds : (to - begin) / 1000, bytes }];
  });
}

const utc = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
