import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explain } from '../../../src/cli/explain.ts';
import { adviceOf } from '../../../src/cli/explain-advice.ts';
import { explainLines } from '../../../src/cli/explain-words.ts';
import type { EventJson, RunJson } from '../../../src/wire/api.ts';
import { buildRetriedRun, buildRun, buildStart } from './build-run.ts';
import { setUp } from './set-up.ts';

const at = Date.UTC(2026, 10, 30, 8, 12, 3);
const mb = 1_048_576;
const event = (
  id: number,
  after: number,
  run: number | null,
  kind: string,
  data: EventJson['data'] = {},
): EventJson => ({
  id,
  run,
  at: at + after,
  kind,
  data,
});
const told = (run: RunJson, events: readonly EventJson[] = [], now = at + 200_000): string =>
  explainLines(run, events, now).join('\n');

test('a usual run is told in few lines', () => {
  const run = buildRun({ submitter: 'ada', submitted_at: at - 200 });
  assert.equal(
    told(run),
    `2026-11-30 (UTC)
08:12:02  run 12 was submitted by ada: xz -9 'big file' (1 cpu, 256 MB to 2048 MB)
08:12:03  start 1 began: limit 256 MB (the minimum that it asked for), killed over 320 MB
08:12:44  succeeded, 41 s after its first start; peak 200 MB, CPU 40.1 s on up to 1.0 cores`,
  );
});

test('a start that has not begun is not told as one that has', () => {
  const [start] = buildRun({}).starts;
  const waits = {
    ...buildStart({}),
    ...start,
    state: 'starting',
    started_at: null,
    ended_at: null,
    verdict: null,
  } as const;
  const reason = 'its secrets are being fetched';
  const starting = told(buildRun({ state: 'starting', ended_at: null, reason, starts: [waits] }));
  assert.match(starting, /start 1 is about to begin: limit 256 MB/);
  assert.match(starting, /^now {7}starting: its secrets are being fetched/m);
  assert.doesNotMatch(starting, /began/);
  const text = 'never began: cannot fetch a secret: prod/db (for DB): it was not there';
  const failed = { ...waits, state: 'ended', ended_at: at, verdict: 'failed', evidence: 'start', text } as const;
  const over = told(buildRun({ state: 'failed', evidence: 'start', text, starts: [failed] }));
  assert.match(over, /start 1 was never begun\n.*never began: cannot fetch a secret/);
  assert.doesNotMatch(over, /start 1 began/);
});

test('logs that cannot be moved to where they go are told with why; those on their way are not', () => {
  const withMoving = (why: string | null): RunJson => {
    const run = buildRun({});
    return {
      ...run,
      starts: run.starts.map((start) => ({ ...start, logs: { ...start.logs, moving: { to: 's3://b/12', why } } })),
    };
  };
  assert.match(
    told(withMoving('no credentials')),
    /^now {7}the logs of start 1 are still on this machine: they cannot be moved to s3:\/\/b\/12 \(no credentials\), which is tried again$/m,
  );
  assert.doesNotMatch(told(withMoving(null)), /logs/);
});

test('of a run whose record is damaged not all is so, and it says what', () => {
  const run = buildRun({ state: 'queued', starts: [], damage: 'needs is not JSON', reason: 'is not started: …' });
  assert.match(told(run), /not all of that is so: its record in the store is damaged \(needs is not JSON\)/);
});

test('a run that died for memory and was made bigger says when, by which evidence, and why the next got more', () => {
  assert.equal(
    told(buildRetriedRun()),
    `2026-11-30 (UTC)
08:12:01  run 12 was submitted: xz -9 'big file' (1 cpu, 256 MB to 2048 MB)
08:12:01  waited 2 s: behind others in the queue, or what kept it was not seen
08:12:03  start 1 began: limit 256 MB (the minimum that it asked for), killed over 320 MB
08:12:13  start 1 ended: out of memory at 256 MB: orca saw it using 331 MB, over its cap of 320 MB, and ended it; the next start gets 384 MB (limit × 1.5) [sampled-cap]
08:12:13  start 2 began: limit 384 MB (raised after start 1), killed over 320 MB
08:12:44  succeeded, 41 s after its first start; peak 370 MB, CPU 40.1 s on up to 1.0 cores`,
  );
});

test('a wait says what kept the run, for how long each, who held it, and what nobody saw', () => {
  const run = buildRun({ submitted_at: at - 100_000 });
  const kept = [{ kind: 'memory', ms: 30_000, holders: [7, 9], words: 'needs 4 GB of memory; held by run 7' }];
  const events = [
    event(1, -200_000, null, 'paused', { by: 'ada', reason: 'the backup runs' }),
    event(2, -90_000, null, 'resumed', { by: 'ada' }),
    event(3, -80_000, 12, 'paused', { by: 'bob', reason: null }),
    event(4, -75_000, null, 'down'),
    event(5, -70_000, null, 'up'),
    event(6, -60_000, 12, 'resumed', { by: 'bob' }),
    event(7, -50_000, 13, 'paused', { by: 'eve', reason: null }),
    event(8, 0, 12, 'running', { start: 1, pid: 5, kept_back: kept }),
  ];
  assert.match(
    told(run, events),
    /waited 1m 40s: orca was down for 5 s; the queue was paused by ada \(the backup runs\) for 10 s; it was held back by bob for 20 s; 30 s: needs 4 GB of memory; held by run 7; later by run 9; the rest behind others in the queue, or what kept it was not seen\n/,
  );
});

test('what held a run back again and again is told once', () => {
  const run = buildRun({ submitted_at: at - 100_000 });
  const pauses = [0, 1, 2].flatMap((night) => [
    event(2 * night + 1, -90_000 + night * 20_000, null, 'paused', { by: 'ada', reason: 'backup' }),
    event(2 * night + 2, -75_000 + night * 20_000, null, 'resumed', { by: 'ada' }),
  ]);
  assert.match(told(run, pauses), /: the queue was paused by ada \(backup\) 3 times, for 45 s in all; the rest behind/);
});

test('what a run came after, and the time before another start, may be what it waited for', () => {
  const after = [
    { run: 4, any: false },
    { group: 7, any: true },
  ] as const;
  assert.match(told(buildRun({ after })), /waited 2 s: for run 4, g7, or behind others in the queue, or/);
  const again = buildRetriedRun();
  const [first = buildStart(), second = buildStart()] = again.starts;
  const later = { ...second, claimed_at: at + 70_000, started_at: at + 70_000, ended_at: at + 80_000 };
  const run = { ...again, starts: [first, later] };
  assert.match(told(run), /waited 1m: for the time before another start, or behind/);
  const ended = (data: object): EventJson => event(3, 10_000, 12, 'start-ended', { start: 1, ...data });
  assert.match(told(run, [ended({ not_before: at + 68_000 })]), /waited 1m: 58 s set before another start\n/);
  assert.match(
    told(run, [ended({ not_before: at + 30_000 })]),
    /waited 1m: 20 s set before another start; the rest behind/,
  );
  // No time was set: it waited for something else.
  assert.match(told(run, [ended({})]), /waited 1m: behind others/);
});

test('a run that never started says what it waited for, and to retry it with what it came after', () => {
  const never = {
    state: 'failed',
    evidence: 'dependency',
    text: 'never started: run 4, which it had to come after, failed',
    starts: [],
    starts_count: 0,
    started_at: null,
    ended_at: at + 5000,
  } as const;
  const lines = told(buildRun({ ...never, after: [{ run: 4, any: false }] }));
  assert.match(lines, /waited 7 s: for run 4\n/);
  assert.match(
    lines,
    /\nnext +`orca retry 4 12` runs both again, one after the other; name before them what 4 itself came after, where that did not succeed$/,
  );
  const two = buildRun({
    ...never,
    after: [
      { run: 4, any: false },
      { group: 7, any: false },
    ],
  });
  assert.match(told(two), /\nnext +name it beside what did not succeed \(4, g7\) in one `orca retry`/);
  assert.match(told(buildRun({ ...never, evidence: 'start' })), /\nnext +`orca retry 12` tries it again$/);
});

test('a run that waits, and one that runs, say how it stands now', () => {
  const waiting = buildRun({
    state: 'queued',
    reason: 'needs 1 core; held by run 7',
    waiting: { kind: 'cpus', position: 1, of: 1, estimate_ms: 240_000, holders: [7] },
    starts: [],
    text: null,
    ended_at: null,
    exit_status: null,
  });
  const lines = told(waiting).split('\n');
  assert.match(lines.at(-2) ?? '', /^08:12:01 {2}has waited 3m 22s$/);
  assert.equal(lines.at(-1), 'now       needs 1 core; held by run 7; starts in about 4 min');
  const start = buildStart({ state: 'running', ended_at: null, verdict: null, text: null });
  const running = buildRun({ state: 'running', text: null, ended_at: null, exit_status: null, starts: [start] });
  assert.match(told(running), /\nnow {7}running; peak 200 MB, CPU 40.1 s on up to 1.0 cores so far$/);
});

test('a void start and a kill are told, and nothing in the words moves a cursor', () => {
  const run = buildRun({
    state: 'killed',
    argv: ['x\x1b[2J'],
    text: 'killed before it was started: orca kill by ada',
    evidence: 'user-kill',
    kill: { at: at + 5000, by: 'orca kill by ada' },
    ended_at: at + 5000,
    starts: [buildStart({ state: 'void', started_at: null, ended_at: at + 10, verdict: null, text: null })],
  });
  const text = told(run);
  assert.match(text, /start 1 was never begun\n08:12:08 {2}its end was asked for: orca kill by ada\n/);
  assert.match(text, /\nnext {6}`orca retry 12` runs it again$/);
  assert.ok(!text.includes('\x1b'));
});

test('a run that was killed while it waited says for how long it did, before that', () => {
  const run = buildRun({
    state: 'killed',
    text: 'killed before it was started: orca kill by ada',
    kill: { at: at + 5000, by: 'orca kill by ada' },
    ended_at: at + 5000,
    starts: [],
  });
  const events = [event(1, -9000, null, 'paused', { by: 'bob', reason: null })];
  const abouts = told(run, events)
    .split('\n')
    .map((line) => line.slice(10, 24));
  assert.deepEqual(abouts.slice(1, 5), ['run 12 was sub', 'waited 7 s: th', 'its end was as', 'killed before ']);
});

test('of a run that is over there is something to do, unless it went well', () => {
  const oom = buildRun({ state: 'out-of-memory', starts: [buildStart({ limit_bytes: 2048 * mb })] });
  assert.match(adviceOf(oom) ?? '', /^submit it again with --memory 3072MB..6144MB; /);
  assert.match(adviceOf(buildRun({ state: 'failed' })) ?? '', /orca logs 12 --tail 50/);
  assert.match(adviceOf(buildRun({ state: 'timed-out' })) ?? '', /longer --timeout/);
  assert.match(adviceOf(buildRun({ state: 'lost' })) ?? '', /orca retry 12/);
  assert.equal(adviceOf(buildRun()), null);
  assert.match(adviceOf(buildRun({ peak_rss_bytes: 100 * mb })) ?? '', /^it used 100 MB of the 256 MB/);
  assert.equal(adviceOf(buildRun({ state: 'running' })), null);
});

test('of several that a run came after, only what did not succeed is to be tried again with it', async (t) => {
  const after = [
    { run: 23, any: false },
    { run: 24, any: true },
    { group: 30, any: false },
    { group: 40, any: false },
    { run: 50, any: false },
  ];
  const text = 'never started: Run 23 failed.';
  const run = buildRun({ id: 25, state: 'failed', evidence: 'dependency', text, after, starts: [] });
  const gone = { code: 'run-unknown', message: 'There is no run 50.', hint: 'Look.', exit: 127 };
  const { context } = await setUp(t, ({ path }) => {
    if (path === '/api/runs/25') return { json: run };
    if (path === '/api/runs/23') return { json: buildRun({ id: 23, state: 'failed' }) };
    if (path === '/api/runs/24') return { json: buildRun({ id: 24, state: 'failed' }) };
    if (path === '/api/runs/50') return { status: 404, json: { error: gone } };
    if (path.startsWith('/api/groups/')) return { json: { failed: path.endsWith('40') ? [41] : [] } };
    return { pieces: [] };
  });
  assert.equal(await explain(context, '25', {}), 0);
  assert.match(context.out.text, /name it beside what did not succeed \(23, g40\) in one `orca retry`/);
});

test('of many that held what a run waited for, the last is named', () => {
  const run = buildRun({ submitted_at: at - 30_000 });
  for (const [words, said] of [
    ['needs 1 core; held by runs 1, 2', 'later by runs 3, 4 and 5 more, at last by run 10'],
    ['needs 1 core; held by runs 1, 2, 3 and 1 more; 4', 'later by 5 more, at last by run 10'],
  ] as const) {
    const kept = [{ kind: 'cpus', ms: 30_000, holders: [1, 2, 3, 4, 10], more: 5, words }];
    assert.ok(told(run, [event(1, 0, 12, 'running', { start: 1, pid: 5, kept_back: kept })]).includes(said));
  }
});
