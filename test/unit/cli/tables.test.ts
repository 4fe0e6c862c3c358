import assert from 'node:assert/strict';
import { test } from 'node:test';
import { colourState, wantsColour } from '../../../src/cli/colour.ts';
import { settingLines } from '../../../src/cli/config-show.ts';
import { listLines } from '../../../src/cli/list.ts';
import { overviewLines } from '../../../src/cli/status.ts';
import { storyLines } from '../../../src/cli/story.ts';
import { cut, tableLines, textWidth } from '../../../src/cli/table.ts';
import type { RunJson } from '../../../src/wire/api.ts';
import { buildNow, buildRetriedRun, buildRun, buildStart } from './build-run.ts';

const mb = 1048576;

test('the story of a run that was tried again', () => {
  const lines = storyLines(buildRetriedRun(), buildNow, 80);
  assert.equal(
    lines.join('\n'),
    `run        12
state      succeeded
command    xz -9 'big file'
folder     /data
request    1 cpu, memory 256 MB to 2048 MB
submitted  2026-11-30 08:12:01 UTC (1m 43s ago)
started    2026-11-30 08:12:03 UTC (1m 41s ago)
ended      2026-11-30 08:12:44 UTC (1m ago), after 41 s, 2 starts
used       peak 370 MB, CPU 40.1 s on up to 1.0 cores
exit       orca wait exits with 0

START   LIMIT    PEAK     CPU    TIME  ENDED                          NEXT
    1  256 MB  331 MB   9.5 s    10 s  out-of-memory (sampled-cap)  384 MB
    2  384 MB  370 MB  40.1 s  30.9 s  succeeded

start 1: out of memory at 256 MB: orca saw it using 331 MB, over its cap of 320 MB, and ended it; the next start gets 384 MB (limit × 1.5)
start 2: ended well

start 1 usage   peak by samples, CPU by wait4
start 1 output  /state/logs/_command/12/1.stdout
start 1 errors  /state/logs/_command/12/1.stderr
start 2 usage   peak by samples, CPU by wait4
start 2 output  /state/logs/_command/12/2.stdout
start 2 errors  /state/logs/_command/12/2.stderr`,
  );
});

test('the story of a run that waits tells why, and has no starts', () => {
  const request = { cpus: 2, memory_min_bytes: null, memory_max_bytes: null };
  const lines = storyLines(
    buildRun({
      state: 'queued',
      reason: 'all 2 cpus are taken',
      started_at: null,
      ended_at: null,
      exit_status: null,
      text: null,
      starts: [],
      request,
      retries: 1,
      timeout_ms: 90_000,
      priority: 5,
      peak_rss_bytes: null,
      cpu_seconds: null,
      peak_cpus: null,
    }),
    buildNow,
    80,
  );
  assert.equal(
    lines.join('\n'),
    `run        12
state      queued: all 2 cpus are taken
command    xz -9 'big file'
folder     /data
request    2 cpus, no memory asked for, 1 retry, at most 1m 30s a start, priority 5
submitted  2026-11-30 08:12:01 UTC (1m 43s ago)`,
  );
});

test('a run whose work is done outside says so', () => {
  const outside = (changes: Partial<RunJson>): string | undefined =>
    storyLines(buildRun(changes), buildNow, 80).find((line) => line.startsWith('outside'));
  assert.match(outside({ work_outside: 'docker' }) ?? '', /^outside +docker has its work done outside/);
  assert.equal(outside({ work_outside: null }), undefined);
});

test('a run without a request shows no limit, and the highest peak of all its starts', () => {
  const request = { cpus: 1, memory_min_bytes: null, memory_max_bytes: null };
  const first = buildStart({ cap_bytes: null, peak_rss_bytes: 900 * mb });
  const second = buildStart({
    start: 2,
    state: 'running',
    verdict: null,
    text: null,
    cap_bytes: null,
    peak_rss_bytes: mb,
  });
  const run = buildRun({ state: 'running', request, peak_rss_bytes: mb, starts: [first, second] });
  const text = storyLines(run, buildNow, 80).join('\n');
  assert.match(text, /^used +peak 900 MB/m);
  assert.match(text, /^ +1 +- +900 MB/m);
});

test('a setting is told with its unit, and what it means in lines that fit', () => {
  const row = { value: 512, scope: 'daemon', from: 'default' } as const;
  const doc = 'Memory that is never granted to runs; 0: the larger of both.';
  assert.deepEqual(settingLines([{ ...row, name: 'ORCA_RESERVE_MB', doc }], 40).slice(1), [
    'ORCA_RESERVE_MB  512 MB  daemon  default',
    '    Memory that is never granted to',
    '    runs; 0: the larger of both.',
  ]);
});

test('a real ending that the exit status does not show is told beside it', () => {
  const lines = storyLines(
    buildRun({ state: 'failed', exit_code: 200, exit_status: 98, text: 'exit code 200' }),
    buildNow,
    80,
  );
  assert.ok(lines.includes('exit       orca wait exits with 98 (exit code 200)'));
});

test('list and story show the peak of the cgroup where that alone saw what filled it', () => {
  const starts = (evidence: string) => [
    buildStart({ verdict: 'out-of-memory', evidence, peak_rss_bytes: 2 * mb, kernel_peak_bytes: 320 * mb }),
  ];
  const run = buildRun({
    state: 'out-of-memory',
    peak_rss_bytes: 2 * mb,
    oom_peak_bytes: 320 * mb,
    starts: starts('own-cgroup'),
  });
  const cell = (shown: RunJson): string => listLines([shown], buildNow, 80)[1] ?? '';
  assert.match(cell(run), /  320 MB \(cgroup\)  /);
  assert.match(cell({ ...run, state: 'running', ended_at: null }), /  2 MB  /, 'the start that goes on is another one');
  const story = storyLines(run, buildNow, 80).join('\n');
  assert.match(story, /\nused       peak 320 MB by its cgroup, CPU/);
  assert.match(story, /\n    1  256 MB  320 MB \(cgroup\)  /);
  // Elsewhere the most of it may be page cache.
  const host = storyLines({ ...run, oom_peak_bytes: null, starts: starts('host') }, buildNow, 80).join('\n');
  assert.match(host, /\nused       peak 2 MB, CPU/);
  assert.match(host, /\n    1  256 MB  2 MB  /);
});

test('the list of runs fits the terminal and cuts only the command', () => {
  const runs = [
    buildRun({
      id: 14,
      state: 'queued',
      reason: 'all 2 cpus are taken',
      started_at: null,
      ended_at: null,
      starts_count: 0,
      peak_rss_bytes: null,
      argv: ['sleep', '20'],
    }),
    buildRun({
      id: 13,
      state: 'running',
      ended_at: null,
      name: 'nightly',
      argv: ['python3', 'train.py', '--epochs', '100', '--out', '/data/models/latest'],
    }),
    buildRetriedRun(),
  ];
  assert.equal(
    listLines(runs, buildNow, 80).join('\n'),
    `RUN  STATE      STARTS  MEMORY    TIME  WHAT
 14  queued          0  256 MB  1m 43s  sleep 20 (all 2 cpus are taken)
 13  running         1  200 MB  1m 41s  nightly: python3 train.py --epochs 100 …
 12  succeeded       2  370 MB    41 s  xz -9 'big file'`,
  );
  for (const line of listLines(runs, buildNow, 60)) assert.ok(textWidth(line) <= 60, line);
});

test('no byte of a name, a command or a reason reaches the terminal as an order', () => {
  const evil = '\x1b]0;owned\x07\x1b[2J\u202egpj.exe\r\n\x9b31m';
  const run = buildRun({
    state: 'queued',
    name: evil,
    argv: [evil, evil],
    cwd: `/${evil}`,
    reason: evil,
    text: evil,
    kill: { at: buildNow, by: evil },
    placement: evil,
    secrets: { DB: evil, [evil]: 'prod/db' },
  });
  const all = [...storyLines(run, buildNow, 80), ...listLines([run], buildNow, 80)].join('\n');
  assert.doesNotMatch(all, /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]/u);
  assert.match(all, /\\x1b/);
});

test('the story of a run says where it runs and where its secrets are kept', () => {
  const run = buildRun({ placement: 'worker:gpu', secrets: { DB: 'prod/db', TOKEN: 'env:MY_TOKEN' } });
  const lines = storyLines(run, buildNow, 80);
  assert.ok(lines.includes('placement  worker:gpu'));
  assert.ok(lines.includes('secrets    DB from prod/db, TOKEN from env:MY_TOKEN'));
  assert.ok(!storyLines(buildRun(), buildNow, 80).some((line) => /^(placement|secrets)/.test(line)));
});

test('wide characters take two columns, marks none, and a cut never splits one', () => {
  assert.equal(textWidth('日本'), 4);
  assert.equal(textWidth('e\u0301'), 1);
  assert.equal(cut('日本語', 5), '日本…');
  assert.equal(cut('日本語', 6), '日本語');
  assert.equal(cut('日本語', 4), '日…');
  assert.deepEqual(tableLines([{ head: 'A' }, { head: 'B', right: true }], [['日', '1']], 80), ['A   B', '日  1']);
});

test('the overview tells what may be granted, and when the daemon is down', () => {
  const daemon = {
    pid: 5,
    version: '0.1.0',
    api: 1,
    program: '/opt/orca/main.js',
    state: '/state',
    started_at: buildNow - 3_600_000,
    keeper: { kind: 'sh', why: 'there is no compiler' },
    containment: { on: false, why: 'there is no cgroup v2', advice: null, ceiling_bytes: null, ceiling_why: null },
    down: true,
    capacity: { cpus: 2, memory_bytes: 24576 * mb, reserve_bytes: 2458 * mb },
    runs: { queued: 3, active: 1 },
  } as const;
  assert.equal(
    overviewLines(daemon, buildNow).join('\n'),
    `daemon   0.1.0, pid 5, for 1h
program  /opt/orca/main.js
state    /state
keeper   sh (there is no compiler)
budget   2 cpus, 21.6 GB of 24 GB memory
runs     1 running, 3 queued; down: nothing is started until \`orca up\``,
  );
  const resources = [
    { name: 'licence', count: 2, held: 1 },
    { name: 'port', count: 1, held: 0 },
  ];
  assert.match(
    overviewLines({ ...daemon, resources }, buildNow).join('\n'),
    /^resource licence 1 of 2 free, port 1 of 1 free$/m,
  );
});

test('colour is for terminals, and NO_COLOR or a dumb one takes it away', () => {
  assert.equal(wantsColour(true, {}), true);
  assert.equal(wantsColour(false, {}), false);
  assert.equal(wantsColour(true, { NO_COLOR: '1' }), false);
  assert.equal(wantsColour(true, { TERM: 'dumb' }), false);
  assert.equal(
    colourState(' 13  running  1', 'running', true),
    ' 13  \x1b[36mrunning\x1b[0m  1'.replace('  \x1b', '  \x1b'),
  );
  assert.equal(colourState(' 13  queued  1', 'queued', true), ' 13  queued  1');
});
