import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { memoryChart } from '../../../src/cli/memory-chart.ts';
import { metricsLines } from '../../../src/cli/metrics-lines.ts';
import { curveOf } from '../../../src/cli/sample-curve.ts';
import { textWidth } from '../../../src/cli/table.ts';
import type { ReadSample } from '../../../src/sample/read-sample.ts';
import { buildRetriedRun, buildRun, buildStart } from './build-run.ts';

const mb = 1048576;
const start = Date.UTC(2026, 10, 30, 8, 12, 3) / 1000;

interface Given {
  readonly dt?: number;
  readonly cache?: number;
}

/** A sample so many seconds after the start, with so many MB. */
const sample = (seconds: number, rss: number, { dt = 5, cache = 0 }: Given = {}): ReadSample => ({
  t: start + seconds,
  dt,
  mem: { rss: rss * mb, total: 1000, used: 400 },
  disk: [],
  psi: null,
  cgroup: cache === 0 ? null : { current: (rss + cache) * mb, limit: 256 * mb, full: 0 },
});

/** Two daemons: the first saw 10 s, nobody the next 20, the second the rest. */
const interrupted = [
  sample(0.2, 10, { dt: 0.2 }),
  sample(5, 60, { dt: 4.8 }),
  sample(10, 120),
  sample(30.2, 150, { dt: 0.2 }),
  sample(35, 200, { dt: 4.8 }),
  sample(40, 180),
  sample(41, 0, { dt: 1 }),
];

test('the summary and chart of a run that a daemon was away from', () => {
  const run = buildRun({ starts: [buildStart({ gap: true })] });
  assert.equal(
    metricsLines(run, interrupted, 60).join('\n'),
    `run      12: xz -9 'big file'
state    succeeded
samples  7 over 41 s
memory   limit 256 MB, at most 200 MB in the samples
used     peak 200 MB, CPU 40.1 s on up to 1.0 cores
machine  40 % of its memory in use, at most 40 %
gap      20 s from 2026-11-30 08:12:13 UTC: no daemon was t…

  256 MB │──────────────────────────────────────────────────
         │
         │                                          ▇▇▇▇▇▇▇
         │                                          ████████
         │                                    ▇▇▇▇▇▇████████
  128 MB │            ▆                       ██████████████
         │            █                       ██████████████
         │      ▃▃▃▃▃▃█                       ██████████████
         │      ███████                       ██████████████
       0 │▃▃▃▃▃▃███████                       ██████████████
         └────────────·························─────────────
          0                                             41 s
█ resident   ─ limit   · no samples`,
  );
});

test('a gap is where a line does not cover the time since the one before', () => {
  const curve = curveOf(interrupted);
  assert.deepEqual(
    curve?.gaps.map(({ from, to, why }) => [Math.round(from), Math.round(to), why]),
    [[10, 30, 'nobody']],
  );
  assert.equal(Math.round(curve?.seconds ?? 0), 41);
  assert.deepEqual(
    curve?.readings.map(({ from, to }) => [Math.round(from), Math.round(to)]),
    [
      [0, 5],
      [5, 10],
      [10, 10],
      [30, 35],
      [35, 40],
      [40, 41],
    ],
  );
});

test('between two starts nothing was there to sample, which is no gap to tell of', () => {
  const run = buildRetriedRun();
  const samples = [
    sample(0.2, 300, { dt: 0.2 }),
    sample(10, 0, { dt: 9.8 }),
    sample(12, 50, { dt: 0.2 }),
    sample(41, 0, { dt: 29 }),
  ];
  assert.deepEqual(
    curveOf(samples)?.gaps.map(({ why }) => why),
    ['between'],
  );
  assert.ok(!metricsLines(run, samples, 80).some((line) => line.startsWith('gap')));
});

test('a clock that is set back makes neither a gap nor a time below 0', () => {
  const samples = [sample(0.2, 10, { dt: 0.2 }), sample(5, 20, { dt: 4.8 }), sample(-3590, 30), sample(-3585, 0)];
  const curve = curveOf(samples);
  assert.deepEqual([curve?.gaps, Math.round(curve?.seconds ?? 0)], [[], 15]);
});

test('an end that nobody saw is told', () => {
  const lines = metricsLines(buildRun(), interrupted.slice(0, 3), 80);
  assert.ok(lines.includes('gap      the last 31 s are missing: no daemon was there'), lines.join('\n'));
  const running = buildRun({ state: 'running', ended_at: null, text: null, starts: [buildStart({ ended_at: null })] });
  assert.ok(!metricsLines(running, interrupted.slice(0, 3), 80).some((line) => line.startsWith('gap')));
});

test('a run without samples says why there may be none, and has no chart', () => {
  const waiting = buildRun({
    state: 'queued',
    text: null,
    reason: 'all 2 cpus are taken',
    starts: [],
    peak_rss_bytes: null,
  });
  assert.ok(metricsLines(waiting, [], 80).includes('samples  none: it has not started yet'));
  const over = metricsLines(buildRun(), [], 80);
  assert.match(over.join('\n'), /none: it was over at once/);
  assert.ok(!over.some((line) => line.includes('│')));
});

test('lines of its file that are no samples are told', () => {
  const all = (count: number, samples: readonly ReadSample[]): string =>
    metricsLines(buildRun(), samples, 120, count).join('\n');
  assert.match(all(1, []), /^samples {2}none: 1 line of its file of samples could not be read$/m);
  assert.match(all(2, interrupted), /^samples {2}\d+ over .*; 2 lines of its file of samples could not be read$/m);
  assert.doesNotMatch(all(0, interrupted), /could not be read/);
});

test('no line is wider than asked for, whatever the figures, and hostile names are visible', () => {
  const odd = buildRun({ name: 'a\u001b[2Jb', argv: ['x'.repeat(300), '\u202e', '漢字'.repeat(60)] });
  const long = Array.from({ length: 3000 }, (_, index) =>
    sample(5 * (index + 1), (index * 7919) % 97, { cache: index % 50 }),
  );
  for (const width of [40, 80, 120]) {
    for (const samples of [long, long.slice(0, 1), interrupted]) {
      const lines = metricsLines(odd, samples, width);
      for (const line of lines) assert.ok(textWidth(line) <= width, `${textWidth(line)} of ${width}: ${line}`);
      assert.ok(!lines.join('').includes('\u001b') && !lines.join('').includes('\u202e'));
    }
  }
});

test('page cache is shaded over the resident memory, up to the limit', () => {
  const samples = [
    sample(0.2, 10, { dt: 0.2, cache: 150 }),
    sample(5, 100, { dt: 4.8, cache: 90 }),
    sample(10, 100, { cache: 156 }),
  ];
  const curve = curveOf(samples) ?? assert.fail('a curve');
  const chart = memoryChart(curve, [{ from: 0, to: 10, bytes: 256 * mb }], { width: 30, height: 4 });
  assert.equal(
    chart.join('\n'),
    `  256 MB │───────────────────░
         │░░░░░░░░░░░░░░░░░░░░
  128 MB │░░░░░░░░░░▅▅▅▅▅▅▅▅▅▅
       0 │▁▁▁▁▁▁▁▁▁▁██████████
         └────────────────────
          0               10 s`,
  );
});

test('a limit that is far off is not drawn: the curve has the room', () => {
  const curve = curveOf(interrupted) ?? assert.fail('a curve');
  const chart = memoryChart(curve, [{ from: 0, to: 41, bytes: 64_000 * mb }], { width: 40, height: 4 });
  assert.match(chart[0] ?? '', /^ {2}200 MB │/);
  assert.ok(!chart.slice(0, 4).some((line) => line.includes('─')));
});

test('a run of weeks is drawn as well', () => {
  const weeks = Array.from({ length: 300_000 }, (_, index) => sample(5 * (index + 1), index % 1000, { cache: 1 }));
  const lines = metricsLines(buildRun(), weeks, 80);
  assert.ok(
    lines.some((line) => line.startsWith(' 1000 MB │')),
    lines.join('\n'),
  );
});

test('whatever the times in a file, a curve’s time never goes back, and every line fits', () => {
  const times = fc.record({
    t: fc.double({ min: 0, max: 1e10, noNaN: true }),
    dt: fc.double({ min: 0, max: 1e5, noNaN: true }),
    rss: fc.nat(2000),
  });
  fc.assert(
    fc.property(fc.array(times, { maxLength: 20 }), (all) => {
      const samples = all.map(({ t, dt, rss }) => ({ ...sample(0, rss, { dt }), t }));
      const curve = curveOf(samples);
      let now = 0;
      for (const { from, to } of curve?.readings ?? []) {
        assert.ok(from >= now && to >= from);
        now = from;
      }
      assert.ok((curve?.gaps ?? []).every(({ from, to }) => to > from && from >= 0));
      for (const line of metricsLines(buildRun(), samples, 80)) assert.ok(textWidth(line) <= 80, line);
    }),
    { numRuns: 200 },
  );
});

test('the limit is told in a line of 80 columns also where its page cache is, and what it uses now', () => {
  const run = buildRun({ state: 'running', ended_at: null });
  const samples = [sample(5, 120, { cache: 90 }), sample(10, 130, { cache: 110 })];
  const line = metricsLines(run, samples, 80).find((one) => one.startsWith('memory'));
  assert.match(line ?? '', /^memory   limit 256 MB, now 130 MB, at most 130 MB in the samples, 240 MB/);
});
