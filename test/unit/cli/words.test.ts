import assert from 'node:assert/strict';
import { test } from 'node:test';
import { killWords } from '../../../src/cli/kill.ts';
import { downWords } from '../../../src/cli/down.ts';
import {
  aboutWords,
  deathWords,
  outcomeWords,
  requestWords,
  summaryWords,
  usageWords,
} from '../../../src/cli/words.ts';
import { buildRetriedRun, buildRun, buildStart } from './build-run.ts';

const mb = 1048576;

test('usage says as much as is known, and nothing for nothing', () => {
  const usage = { peak_rss_bytes: 812 * mb, cpu_seconds: 41.24, peak_cpus: 3.91 };
  assert.equal(usageWords(usage), 'peak 812 MB, CPU 41.2 s on up to 3.9 cores');
  assert.equal(usageWords({ ...usage, peak_cpus: null }), 'peak 812 MB, CPU 41.2 s');
  assert.equal(usageWords({ ...usage, peak_rss_bytes: null }), 'CPU 41.2 s on up to 3.9 cores');
  assert.equal(usageWords({ peak_rss_bytes: null, cpu_seconds: null, peak_cpus: null }), '');
});

test('a death at the limit of the own cgroup shows the peak by that where it is larger', () => {
  const usage = { peak_rss_bytes: 2 * mb, cpu_seconds: null, peak_cpus: null };
  assert.equal(usageWords({ ...usage, oom_peak_bytes: 96 * mb }), 'peak 96 MB by its cgroup');
  assert.equal(usageWords({ ...usage, peak_rss_bytes: null, oom_peak_bytes: 96 * mb }), 'peak 96 MB by its cgroup');
  assert.equal(usageWords({ ...usage, peak_rss_bytes: 97 * mb, oom_peak_bytes: 96 * mb }), 'peak 97 MB');
  const died = buildRun({ state: 'out-of-memory', text: 'out of memory', ...usage, oom_peak_bytes: 96 * mb });
  assert.match(summaryWords(died), /; 41 s, 1 start, peak 96 MB by its cgroup$/);
});

test('the last line of a run tells time, starts, peak, CPU, and why each earlier start died and what the next got', () => {
  assert.equal(
    summaryWords(buildRetriedRun()),
    'run 12 succeeded; 41 s, 2 starts, peak 370 MB, CPU 40.1 s on up to 1.0 cores; start 1 out of memory at 256 MB, the next got 384 MB',
  );
});

test('the last line of a failed run says how it failed', () => {
  const failed = { state: 'failed', text: 'exit code 3', exit_code: 3, exit_status: 3 } as const;
  const run = buildRun({
    ...failed,
    name: 'load',
    starts: [buildStart({ verdict: 'failed', text: 'exit code 3', exit_code: 3 })],
  });
  assert.equal(
    summaryWords(run),
    'run 12 (load): failed: exit code 3; 41 s, 1 start, peak 200 MB, CPU 40.1 s on up to 1.0 cores',
  );
});

test('the last line has no period in its middle, though the text ends in one', () => {
  const text = 'out of memory at 256 MB: used 400 MB. It was started again 5 times for memory, which is the bound.';
  const line = summaryWords(buildRun({ state: 'out-of-memory', text }));
  assert.match(line, /400 MB\. It was started again 5 times for memory, which is the bound; 41 s, 1 start/);
});

test('a run that was killed before it started has no times to tell', () => {
  const never = {
    started_at: null,
    peak_rss_bytes: null,
    cpu_seconds: null,
    peak_cpus: null,
    starts: [],
    starts_count: 0,
  };
  const run = buildRun({ ...never, state: 'killed', text: 'killed (orca kill by ada)' });
  assert.equal(summaryWords(run), 'run 12: killed (orca kill by ada); 0 starts');
});

test('a death tells what the next start gets, once', () => {
  const [death] = buildRetriedRun().starts;
  assert.ok(death !== undefined);
  assert.equal(deathWords(12, death).match(/next start/g)?.length, 1);
  assert.equal(
    deathWords(12, { ...death, text: 'out of memory at 256 MB' }),
    'run 12 start 1: out of memory at 256 MB; the next start gets 384 MB',
  );
});

test('every state has its words', () => {
  assert.equal(outcomeWords({ state: 'queued', text: null, reason: 'no slot' }), 'queued: no slot');
  assert.equal(outcomeWords({ state: 'queued', text: null, reason: null }), 'queued');
  assert.equal(outcomeWords({ state: 'running', text: null, reason: null }), 'running');
  assert.equal(outcomeWords({ state: 'running', text: null, reason: 'no room' }), 'running: no room');
  const over = { state: 'running', text: null, reason: 'its end cannot be stored yet', end_unstored: true } as const;
  assert.equal(outcomeWords(over), 'over: its end cannot be stored yet');
  const asked = 'was asked to stop (orca kill by ada), ended well';
  assert.equal(outcomeWords({ state: 'succeeded', text: asked, reason: null }), `succeeded: ${asked}`);
  assert.equal(outcomeWords({ state: 'lost', text: 'lost: its keeper died', reason: null }), 'lost: its keeper died');
});

test('a request of one size is told as one', () => {
  const request = { cpus: 1, memory_min_bytes: 1024 * mb, memory_max_bytes: 1024 * mb };
  assert.equal(requestWords(request), '1024 MB');
  assert.equal(requestWords({ ...request, memory_max_bytes: 20 * 1024 * mb }), '1024 MB to 20 GB');
  assert.equal(requestWords({ cpus: 1, memory_min_bytes: null, memory_max_bytes: null }), null);
});

test('the answers to a kill, and a daemon that leaves, are told apart', () => {
  assert.equal(killWords({ run: 1, result: 'final', state: 'succeeded' }), 'run 1 was over already (succeeded)');
  assert.equal(
    killWords({ run: 1, result: 'unknown', state: null }),
    'there is no run 1; `orca list --all` shows the runs that there are',
  );
  assert.equal(downWords({ queued: 0, active: 0 }), 'the daemon has left; nothing is started until `orca up`');
  assert.match(downWords({ queued: 2, active: 1 }), /1 running run goes on under its keeper; 2 queued wait for/);
  // One whose start ended may be queued for another.
  assert.match(
    downWords({ queued: 1, active: 0 }, true),
    /^nothing runs any more; the daemon has left; what is queued waits for/,
  );
});

test('a queued run is told with its estimate where there is one, which says no more than it knows', () => {
  const waiting = { kind: 'cpus', position: 1, of: 1, holders: [], estimate_ms: 240_000 };
  const queued = { state: 'queued', text: null, reason: 'no slot' } as const;
  assert.equal(outcomeWords({ ...queued, waiting }), 'queued: no slot; starts in about 4 min');
  assert.equal(outcomeWords({ ...queued, waiting: { ...waiting, estimate_ms: null } }), 'queued: no slot');
  const seconds = [0, 0.7, 5.3, 11, 41, 54, 55, 89, 3299, 3301, 100_000, 200_000];
  assert.deepEqual(
    seconds.map((s) => aboutWords(s * 1000).replace('about ', '')),
    ['1 s', '1 s', '6 s', '15 s', '45 s', '55 s', '1 min', '1 min', '55 min', '1 h', '28 h', '2 days'],
  );
});
